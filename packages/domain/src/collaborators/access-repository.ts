import type { Lock, MaybeDeleted } from '../access/lock.ts'
import type { Places } from '../access/places.ts'
import type { BaseAccess } from '../bases/base-access.ts'
import type { SpaceAccess } from '../spaces/space-access.ts'
import type { TableAccess } from '../tables/table-access.ts'

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
  /** The base, in the trash or not, for what may reach it there; it is in the trash too when its space is. */
  findBaseOrTrash(baseId: string, userId: string, lock: Lock): Promise<MaybeDeleted<BaseAccess>>
  /** The table, in the trash or not, for what may reach it there; it must lie in a living base. */
  findTableOrTrash(tableId: string, userId: string, lock: Lock): Promise<MaybeDeleted<TableAccess>>
  /** Those of the places in which the user has a role, in no order. */
  placesWithRole(userId: string, places: Places): Promise<Places>
  /** Those of the places that are there, in no order. */
  livingPlaces(places: Places): Promise<Places>
}
