import type { CallerScope, Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import { onOwn } from '../accounts/users/account-guard.ts'
import { notFound } from '../errors.ts'
import type { OAuthClient } from './oauth-client.ts'

/** What a guard has found of the OAuth app that a call names. */
export interface ClientScope extends CallerScope {
  readonly client: OAuthClient
}

/** Lets users at an OAuth app that they made, by session only. */
export function onOwnClient(lock: Lock = 'none'): Guard<{ clientId: string }, ClientScope> {
  const caller = onOwn(lock)
  return {
    requirement: caller.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await caller.enter(tx, actor, input)
      const client = await tx.oauthClients.find(input.clientId, lock)
      if (client?.createdBy !== scope.userId) throw notFound('OAuth app', input.clientId)
      return { scope: { ...scope, client }, version: client.version }
    },
  }
}
