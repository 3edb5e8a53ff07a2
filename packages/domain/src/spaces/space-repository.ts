import type { Role } from '../access/roles.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { Space } from './space.ts'

/** A space, and the role that the caller has in it. */
export interface SpaceWithRole {
  readonly space: Space
  readonly role: Role
}

/** Reads spaces. */
export interface SpaceReader {
  /**
   * The living spaces in which the user has a role, oldest first, ties by id. At most `limits.spacesPerList`: all that the user
   * created come before others.
   */
  listOf(userId: string): Promise<readonly SpaceWithRole[]>
}

/** A space that nobody but one user owns. */
export interface SoleSpace {
  readonly space: Pick<Space, 'id' | 'name'>
  readonly isDeleted: boolean
  /** Whether somebody else has a role in it, or in a base of it. */
  readonly isShared: boolean
}

/** Keeps spaces. */
export interface SpaceRepository extends SpaceReader {
  insert(space: Space): Promise<void>
  /**
   * Those, in the trash or not, that nobody but the user owns, oldest first, ties by id, so many at most. All that the
   * user owns are held for update.
   */
  listOwnedAlone(userId: string, most: number): Promise<readonly SoleSpace[]>
  /** Replaces the name; the version grows by one. Returns the space as it is now. */
  rename(spaceId: string, name: string): Promise<Space>
  /** Marks the space as deleted. Everything in it stays, and is out of reach with it. */
  markDeleted(spaceId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion away. */
  restore(spaceId: string): Promise<void>
}
