import type { Lock } from '../access/lock.ts'
import type { OAuthClient } from './oauth-client.ts'

/** Reads OAuth apps. */
export interface OAuthClientReader {
  /** The app of the id; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<OAuthClient | undefined>
  /** Those of the ids that there are, in no order. */
  findAll(ids: readonly string[]): Promise<readonly OAuthClient[]>
  /** Those that the user made, oldest first, ties by id. */
  listOf(userId: string): Promise<readonly OAuthClient[]>
}

/** Keeps them. */
export interface OAuthClientRepository extends OAuthClientReader {
  insert(client: OAuthClient): Promise<void>
  /** Replaces all but the id, its maker and when it was made. */
  update(client: OAuthClient): Promise<void>
  delete(id: string): Promise<void>
  deleteOfUser(userId: string): Promise<void>
}
