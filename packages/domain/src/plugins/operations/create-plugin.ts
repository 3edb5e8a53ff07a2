import { z } from 'zod'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { type Plugin, pluginOutput, toPluginOutput } from '../plugin.ts'
import { pluginSettingsSchema, toKeptSettings } from '../plugin-input.ts'

/** Registers a plugin, which its maker alone may install at first. Its secret is shown in this answer alone. */
export const createPlugin = defineWrite({
  summary: 'Register a plugin',
  input: pluginSettingsSchema.extend({
    autoCreateMember: z
      .literal(
        false,
        'must be false: plugins act for the people who use them, and have no user of their own',
      )
      .nullish(),
  }),
  output: pluginOutput,
  answers: 'secret',
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['secrets'],
  run: async ({ tx, userId, now, ids, secrets }, { autoCreateMember: _, ...settings }) => {
    const count = await tx.plugins.countOf(userId)
    if (count >= limits.pluginsPerUser) {
      const message = `You have ${count} plugins, which is the most: delete one first`
      throw new DomainError('restricted_resource', message)
    }
    const secret = secrets.token()
    const plugin: Plugin = {
      ...{ id: ids.next('plugin'), ...toKeptSettings(settings, now), status: 'developing' },
      ...{ withdrawnVersion: undefined, secretHash: secrets.digest(secret), version: 1 },
      ...{ createdBy: userId, createdTime: now },
    }
    await tx.plugins.insert(plugin)
    return toPluginOutput(plugin, secret)
  },
})
