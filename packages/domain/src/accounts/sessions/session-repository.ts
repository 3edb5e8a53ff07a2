import type { Timestamp } from '../../clock.ts'
import type { Session } from './session.ts'

/** Reads sessions. */
export interface SessionReader {
  /** Finds by the id, expired or not. */
  find(id: string): Promise<Session | undefined>
  /** Finds by the digest of the token, expired or not. */
  findByTokenHash(tokenHash: string): Promise<Session | undefined>
  /** The user's sessions that end after the time, newest first, ties by id. */
  listOf(userId: string, now: Timestamp): Promise<readonly Session[]>
}

/** Keeps sessions. */
export interface SessionRepository extends SessionReader {
  insert(session: Session): Promise<void>
  /** Ends the session when it is the user's. Returns whether there was one. */
  delete(sessionId: string, userId: string): Promise<boolean>
  /** Ends all sessions of the user but the one; all when none is named. */
  deleteOthers(userId: string, keptSessionId: string | undefined): Promise<void>
  /** Ends the user's oldest sessions until no more than `kept` are left. */
  deleteOldest(userId: string, kept: number): Promise<void>
  /** Forgets at most `most` sessions that ended before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
