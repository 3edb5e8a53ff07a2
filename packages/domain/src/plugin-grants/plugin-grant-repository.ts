import type { Lock } from '../access/lock.ts'
import type { Timestamp } from '../clock.ts'
import type { PluginGrant } from './plugin-grant.ts'

/** Reads what users let plugins do. */
export interface PluginGrantReader {
  /** The grant of the id, expired or not; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<PluginGrant | undefined>
}

/** Keeps it. */
export interface PluginGrantRepository extends PluginGrantReader {
  insert(grant: PluginGrant): Promise<void>
  /** Replaces scopes, digests of codes and tokens, and when they end. */
  update(grant: PluginGrant): Promise<void>
  /** Removes all of the user but the newest, so many of which are kept. */
  deleteOldest(userId: string, kept: number): Promise<void>
  /** Removes at most `most` grants that ended before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
