import type { Lock } from '../access/lock.ts'
import type { Timestamp } from '../clock.ts'
import type { PluginGrant } from './plugin-grant.ts'

/** The grants of a user, or those of one plugin in one base among them. */
export type GrantsOfUser =
  | { readonly userId: string }
  | { readonly userId: string; readonly pluginId: string; readonly baseId: string }

/** Reads what users let plugins do. */
export interface PluginGrantReader {
  /** The grant of the id, expired or not; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<PluginGrant | undefined>
  /** All of the user, oldest first, ties by id. */
  listOf(userId: string): Promise<readonly PluginGrant[]>
}

/** Keeps it. */
export interface PluginGrantRepository extends PluginGrantReader {
  insert(grant: PluginGrant): Promise<void>
  /** Replaces scopes, digests of codes and tokens, and when they end. */
  update(grant: PluginGrant): Promise<void>
  /** Notes when the access token was used, unless a use after the other moment is noted. */
  noteUse(id: string, now: Timestamp, before: Timestamp): Promise<void>
  delete(id: string): Promise<void>
  /** Removes all of the user, or of one plugin in one base alone, but the newest, so many of which are kept. */
  deleteOldest(whose: GrantsOfUser, kept: number): Promise<void>
  /** Removes at most `most` grants that ended before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
