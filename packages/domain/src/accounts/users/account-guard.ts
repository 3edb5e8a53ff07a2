import { type CallerScope, type Guard, signedIn } from '../../access/guard.ts'
import { requireCredentialNow } from '../../access/live-credentials.ts'
import type { Lock } from '../../access/lock.ts'
import { DomainError } from '../../errors.ts'
import type { User } from './user.ts'

export interface AccountScope extends CallerScope {
  readonly user: User
}

/** Returns the user of a caller; `unauthorized` where their account is gone. */
export function requireAccount(user: User | undefined): User {
  if (user && user.deletedTime === undefined) return user
  throw new DomainError(
    'unauthorized',
    'This account does not exist any more: sign in with another one',
  )
}

/**
 * Lets known users at their own account; with `sessionOnly`, not by way of an access token. With a lock the session is looked at
 * once the account is held: whoever changes a password holds it, too, and no call that had begun before goes on after that.
 */
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
      const user = requireAccount(await tx.users.find(scope.userId, lock))
      if (lock !== 'none') await requireCredentialNow(tx, actor)
      return { scope: { ...scope, user }, version: user.version }
    },
  }
}

/**
 * Lets users at something of their own that lets others act, such as a token, by session only: with their account held where they
 * change it, so that no session which has ended gives it another secret.
 */
export function onOwn(lock: Lock): Guard<unknown, CallerScope> {
  return lock === 'none'
    ? signedIn({ sessionOnly: true })
    : onOwnAccount({ sessionOnly: true, lock })
}
