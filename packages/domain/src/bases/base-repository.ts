import type { Places } from '../access/places.ts'
import type { Role } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { Base } from './base.ts'

/** A base, and the role that the caller has in it. */
export interface BaseWithRole {
  readonly base: Base
  /** The stronger of the user's roles in the base and in its space. */
  readonly role: Role
}

/** Deleted bases, and those of deleted spaces, are never answered. */
export interface BaseReader {
  /** The bases of the space in which the user has a role, by order, ties by id. */
  listOf(spaceId: string, userId: string): Promise<readonly BaseWithRole[]>
  /**
   * The bases of all spaces in which the user has a role, kept to the reach if there is one; by space,
   * oldest first, then by order, ties by id. At most `limits.basesPerList`.
   */
  listAll(userId: string, reach?: Places): Promise<readonly BaseWithRole[]>
  /** The bases of the space as places alone, in no order. */
  listPlaces(spaceId: string): Promise<readonly Pick<Base, 'id' | 'order'>[]>
}

/** Keeps bases. */
export interface BaseRepository extends BaseReader {
  insert(base: Base): Promise<void>
  /** Replaces what is given; the version grows by one. Returns the base as it is now. */
  update(
    baseId: string,
    change: {
      readonly name: string
      readonly icon: string | null
      readonly lastModifiedTime: Timestamp
    },
  ): Promise<Base>
  /**
   * Gives a base that is in the making, and that nobody saw until now, its space, place, name and icon. Answers false,
   * and changes nothing, where there is none.
   */
  finish(base: Pick<Base, 'id' | 'spaceId' | 'order' | 'name' | 'icon'>): Promise<boolean>
  /** How many bases of the user are in the making, of which nobody else begins one until the transaction has ended. */
  countUnfinishedHeld(userId: string): Promise<number>
  /**
   * The ids that bases have, or anything else that one has but records, and that differ from those asked for in the case of
   * letters at most: whatever became of it. Those of entries of a trash are just these.
   */
  findTaken(ids: readonly string[]): Promise<readonly string[]>
  /** Removes a base that is in the making. Answers false, and changes nothing, where there is none. */
  dropUnfinished(baseId: string): Promise<boolean>
  /** Gives the bases, by id, new places in their space. */
  place(ordersById: ReadonlyMap<string, number>): Promise<void>
  /**
   * Puts the base into another space; its version grows by one. What users have pinned of it stays so; that they opened it
   * last in the space that it leaves is forgotten.
   */
  moveTo(
    base: Pick<Base, 'id' | 'spaceId'>,
    place: Pick<Base, 'spaceId' | 'order' | 'lastModifiedTime'>,
  ): Promise<void>
  /** Marks the base as deleted. Everything in it stays, and is out of reach with it. */
  markDeleted(baseId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion away. */
  restore(baseId: string): Promise<void>
}
