import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { clientSettingsSchema, toKeptClient } from '../client-input.ts'
import { clientOutput, type OAuthClient, toClientOutput } from '../oauth-client.ts'

/** Registers an OAuth app, which has no secret at first. */
export const createClient = defineWrite({
  summary: 'Register an OAuth app',
  input: clientSettingsSchema,
  output: clientOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  run: async ({ tx, userId, now, ids }, settings) => {
    const { length } = await tx.oauthClients.listOf(userId)
    if (length >= limits.oauthClientsPerUser) {
      const message = `You have ${length} OAuth apps, which is the most: delete one first`
      throw new DomainError('restricted_resource', message)
    }
    const client: OAuthClient = {
      ...{ id: ids.next('oauthClient'), ...toKeptClient(settings, now), secrets: [] },
      ...{ createdBy: userId, createdTime: now, version: 1 },
    }
    await tx.oauthClients.insert(client)
    return toClientOutput(client)
  },
})
