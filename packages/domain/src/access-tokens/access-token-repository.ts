import type { Lock } from '../access/lock.ts'
import type { Timestamp } from '../clock.ts'
import type { AccessToken } from './access-token.ts'

/** Reads access tokens. */
export interface AccessTokenReader {
  /** Finds by id, expired or not. The lock is for transactions that write; a snapshot takes none. */
  find(tokenId: string, lock?: Lock): Promise<AccessToken | undefined>
  /** The user's tokens, expired ones too, oldest first, ties by id. */
  listOf(userId: string): Promise<readonly AccessToken[]>
}

/** Keeps access tokens. */
export interface AccessTokenRepository extends AccessTokenReader {
  insert(token: AccessToken): Promise<void>
  /** Replaces all but the id, the user, the time of creation and that of the last use. */
  update(token: AccessToken): Promise<void>
  delete(tokenId: string): Promise<void>
  deleteOfUser(userId: string): Promise<void>
  /** Notes the use, unless one was noted after `before`. */
  noteUse(tokenId: string, now: Timestamp, before: Timestamp): Promise<void>
}
