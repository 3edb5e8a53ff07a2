import type { Actor } from '../../access/actor.ts'
import type { Timestamp } from '../../clock.ts'
import { isInLife } from './is-in-life.ts'

/** A signed-in device. Its token is shown once; only a digest is kept. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly tokenHash: string
  readonly address: string | undefined
  readonly userAgent: string | undefined
  readonly createdTime: Timestamp
  readonly expiresTime: Timestamp
}

/** Whether the token of the session is good now. */
export function isOpen({ createdTime, expiresTime }: Session, now: Timestamp): boolean {
  return isInLife(expiresTime, Date.parse(expiresTime) - Date.parse(createdTime), now)
}

/** The session that the actor came by; undefined for one the embedding program vouches for. */
export function sessionIdOf(actor: Actor): string | undefined {
  return actor.kind === 'user' ? actor.sessionId : undefined
}
