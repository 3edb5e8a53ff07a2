import { z } from 'zod'
import { sessionIdOf } from '../../accounts/sessions/session.ts'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { shippedPlugins } from '../../plugins/shipped-plugins.ts'
import { defineRead } from '../../use-case.ts'
import { findPageInstall, toPageToken } from '../page-token.ts'

/** Gives the page of a plugin that ships with the product a token, to act for one install in the caller's name. */
export const createPageToken = defineRead({
  summary: 'Let the page of a shipped plugin act on my behalf',
  input: z.object({ pluginId: idSchema, pluginInstallId: idSchema }),
  output: z.object({
    accessToken: z.string().describe('Shown this once'),
    scopes: z.array(z.string()).describe('The actions that the access token may be used for'),
    expiresIn: z.int().describe('Seconds for which the access token is good'),
  }),
  // By an access token it would give more than the token may.
  access: onOwnAccount({ sessionOnly: true }),
  needs: ['secrets'],
  run: async ({ tx, actor, userId, now, secrets }, { pluginId, pluginInstallId }) => {
    if (!shippedPlugins.has(pluginId)) throw notFound('shipped plugin', pluginId)
    const found = await findPageInstall(tx, pluginInstallId, userId)
    const access = found && (await tx.access.findBase(found.install.baseId, userId, 'none'))
    if (found?.install.pluginId !== pluginId || access?.role === undefined) {
      throw notFound('plugin install', pluginInstallId)
    }
    const { install, scopes } = found
    const expiresIn = limits.pluginTokenMinutes * 60
    const accessToken = toPageToken(secrets, {
      ...{ installId: install.id, userId, sessionId: sessionIdOf(actor) },
      expiresMs: Date.parse(now) + expiresIn * 1_000,
    })
    return { accessToken, scopes: [...scopes], expiresIn }
  },
})
