import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onLoginProvider } from '../login-provider-guard.ts'
import { providerShapes, toKeptConfig } from '../provider-input.ts'

const named = { authenticationId: idSchema.describe('The id of the provider') }

/** Replaces all of a login provider; the mask in the place of the secret keeps the one that is there. */
export const updateLoginProvider = defineWrite({
  summary: 'Replace a login provider of a space',
  input: z.discriminatedUnion('type', [
    providerShapes.feishu.extend(named),
    providerShapes.oidc.extend(named),
  ]),
  output: noOutput,
  access: onLoginProvider('update'),
  needs: ['secrets'],
  run: async ({ tx, space, provider, userId, now, plans, secrets }, sent) => {
    if (sent.id !== undefined && sent.id !== provider.id) {
      throw invalidAt(['id'], 'must be the id in the path, or be left out')
    }
    plans.requireOn(space.id, 'authenticationEnable')
    const kept = toKeptConfig(secrets, provider.id, sent, provider)
    const version = provider.version + 1
    await tx.loginProviders.update({ ...provider, ...kept, name: sent.name, version })
    tx.emit({ name: 'space.updated', time: now, userId, payload: { spaceId: space.id } })
  },
})
