import type { Base } from '../bases/base.ts'
import type { Space } from '../spaces/space.ts'
import type { Table } from '../tables/table.ts'
import type { Role } from './roles.ts'

/**
 * How a row is held while the transaction lasts: `share` keeps others from changing it, `update` keeps
 * others from changing or sharing it. A storage with one writer at a time has nothing to do.
 */
export type Lock = 'none' | 'share' | 'update'

export interface SpaceAccess {
  readonly space: Space
  /** The user's role in the space, undefined for a stranger. */
  readonly role: Role | undefined
}

export interface BaseAccess {
  readonly base: Base
  /** The stronger of the user's roles in the base and in its space. */
  readonly role: Role | undefined
}

export interface TableAccess extends BaseAccess {
  readonly table: Table
}

/** Where a user stands to what may be deleted; undefined when it never was, or is gone for good. */
export type MaybeDeleted<Access> = (Access & { readonly isDeleted: boolean }) | undefined

/** Some spaces and bases, by their ids. */
export interface Places {
  readonly spaceIds: readonly string[]
  readonly baseIds: readonly string[]
}

/**
 * Where a user stands to a space, a base or a table. A resource that is deleted, or lies in one that
 * is, is answered as undefined, as one that never was. The lock is taken on the named
 * resource alone, and first: what is answered is how things stand once nobody else holds it.
 */
export interface AccessRepository {
  findSpace(spaceId: string, userId: string, lock: Lock): Promise<SpaceAccess | undefined>
  findBase(baseId: string, userId: string, lock: Lock): Promise<BaseAccess | undefined>
  findTable(tableId: string, userId: string, lock: Lock): Promise<TableAccess | undefined>
  /**
   * The space, in the trash or not, for what may reach it there: who has a role keeps it until the space is
   * gone for good.
   */
  findSpaceOrTrash(spaceId: string, userId: string, lock: Lock): Promise<MaybeDeleted<SpaceAccess>>
  /** The same of a base, which is in the trash too when its space is. */
  findBaseOrTrash(baseId: string, userId: string, lock: Lock): Promise<MaybeDeleted<BaseAccess>>
  /** Those of the places in which the user has a role, in no order. */
  placesWithRole(userId: string, places: Places): Promise<Places>
  /** Those of the places that are there, in no order. */
  livingPlaces(places: Places): Promise<Places>
}
