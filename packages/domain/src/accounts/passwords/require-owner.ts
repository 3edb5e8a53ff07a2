import type { Actor } from '../../access/actor.ts'
import { later, type Timestamp } from '../../clock.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ReadTx } from '../../store.ts'
import { sessionIdOf } from '../sessions/session.ts'
import type { User } from '../users/user.ts'
import { requireStillProven } from './prove-password.ts'

interface Caller {
  readonly tx: ReadTx
  readonly actor: Actor
  readonly user: User
  readonly now: Timestamp
}

const minuteMs = 60_000

/**
 * Refuses whoever may have come by a session that somebody left open: it takes the password, or where the account has
 * none, a session that was opened just now. An embedding program vouches for users without a password itself.
 */
export async function requireOwner(
  { tx, actor, user, now }: Caller,
  proven: User | undefined,
): Promise<void> {
  if (proven !== undefined) return requireStillProven(user, proven)
  if (user.passwordHash !== undefined) {
    throw invalidAt(['password'], 'must be the password of the account')
  }
  const sessionId = sessionIdOf(actor)
  if (sessionId === undefined) return
  const sessions = await tx.sessions.listOf(user.id, now)
  const opened = sessions.find(({ id }) => id === sessionId)?.createdTime
  if (opened !== undefined && opened > later(now, -limits.freshSessionMinutes * minuteMs)) return
  throw new DomainError(
    'restricted_resource',
    `This takes a session of the last ${limits.freshSessionMinutes} minutes: sign in again, then repeat the request`,
  )
}
