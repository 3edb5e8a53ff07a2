import type { Lock } from '../access/lock.ts'
import type { Timestamp } from '../clock.ts'
import type { OAuthGrant } from './oauth-grant.ts'

/** The codes or the tokens that apps have of a user, or those of one app among them. */
export interface GrantsAtStage {
  readonly userId: string
  readonly stage: OAuthGrant['stage']
  readonly clientId?: string
}

/** Reads what users let OAuth apps do. */
export interface OAuthGrantReader {
  /** The grant of the id, expired or not; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<OAuthGrant | undefined>
  /** All of the user, oldest first, ties by id. */
  listOf(userId: string): Promise<readonly OAuthGrant[]>
}

/** Keeps it. */
export interface OAuthGrantRepository extends OAuthGrantReader {
  insert(grant: OAuthGrant): Promise<void>
  /** Replaces its stage, digests of codes and tokens, when they end, and whether a secret was needed. */
  update(grant: OAuthGrant): Promise<void>
  /** Notes when the access token was used, unless a use after the other moment is noted. */
  noteUse(id: string, now: Timestamp, before: Timestamp): Promise<void>
  delete(id: string): Promise<void>
  deleteOfUser(userId: string): Promise<void>
  /** Removes all that the user let one app do. */
  deleteOfClient(whose: { readonly userId: string; readonly clientId: string }): Promise<void>
  /** Removes those at a stage but the newest, so many of which are kept. */
  deleteOldest(whose: GrantsAtStage, kept: number): Promise<void>
  /** Removes at most `most` grants that ended before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
