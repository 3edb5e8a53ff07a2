import type { CallerScope, Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import { onOwn } from '../accounts/users/account-guard.ts'
import { notFound } from '../errors.ts'
import type { AccessToken } from './access-token.ts'

export interface AccessTokenScope extends CallerScope {
  readonly token: AccessToken
}

/** Lets users at the access token of theirs that the input names, by session only. */
export function onOwnToken(lock: Lock = 'none'): Guard<{ id: string }, AccessTokenScope> {
  const caller = onOwn(lock)
  return {
    requirement: caller.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await caller.enter(tx, actor, input)
      const token = await tx.accessTokens.find(input.id, lock)
      if (token?.userId !== scope.userId) throw notFound('access token', input.id)
      return { scope: { ...scope, token }, version: token.version }
    },
  }
}
