import { type CallerScope, type Guard, signedIn } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import { DomainError } from '../errors.ts'
import type { User } from './user.ts'

export interface AccountScope extends CallerScope {
  readonly user: User
}

/** Lets known users at their own account; with `sessionOnly`, not by way of an access token. */
export function onOwnAccount(options: {
  readonly sessionOnly: boolean
  readonly lock?: Lock
}): Guard<unknown, AccountScope> {
  const { sessionOnly, lock = 'none' } = options
  const caller = signedIn({ sessionOnly })
  return {
    requirement: caller.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await caller.enter(tx, actor, input)
      const user = await tx.users.find(scope.userId, lock)
      if (!user)
        throw new DomainError(
          'unauthorized',
          'This account does not exist any more: sign in with another one',
        )
      return { scope: { ...scope, user }, version: user.version }
    },
  }
}
