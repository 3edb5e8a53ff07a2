import type { Lock } from '../../access/lock.ts'
import type { User } from './user.ts'

/** What a user shows to those who work with them. */
export type Profile = Pick<User, 'name' | 'email' | 'avatar'>

/** Reads users. */
export interface UserReader {
  /** The lock is for transactions that write; a snapshot takes none. */
  find(userId: string, lock?: Lock): Promise<User | undefined>
  /** Finds by e-mail address, for accounts that aren't gone, without regard to the case of A to Z; no other letters are alike. */
  findByEmail(email: string): Promise<User | undefined>
  /** How many accounts there have been, of whatever kind. */
  count(): Promise<number>
  /** When the first of them was made; undefined where there has been none. */
  firstCreatedTime(): Promise<string | undefined>
  /** Those of the users whose account is there, in no order. The lock is for transactions that write. */
  livingAmong(userIds: readonly string[], lock?: Lock): Promise<ReadonlySet<string>>
  /** The display names of those of the users that exist, by id. */
  namesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** What those of the users that exist show to those who work with them, by id. */
  profilesOf(userIds: readonly string[]): Promise<ReadonlyMap<string, Profile>>
  /** The users with a role in the space or in the base, by name, ties by id. */
  listWithRoleIn(
    spaceId: string,
    baseId: string,
  ): Promise<readonly Pick<User, 'id' | 'name' | 'email'>[]>
}

/** Keeps users. */
export interface UserRepository extends UserReader {
  /**
   * Whether the user is the first of the instance that asks. Somebody who asks meanwhile is waited for,
   * so that it is exactly one.
   */
  claimAdministration(userId: string): Promise<boolean>
  /** Adds a user; `conflict` when the e-mail address is taken. */
  insert(user: User): Promise<void>
  /** Replaces all but the id and the time of creation; `conflict` when the address is taken. */
  update(user: User): Promise<void>
}
