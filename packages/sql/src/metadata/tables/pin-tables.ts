import type { LastVisit } from '@gateleg/domain/last-visits/last-visit'
import type { Pin } from '@gateleg/domain/pins/pin'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `pins`. */
export const pinColumns = columnsFor<Pin>()({
  userId: 'user_id',
  type: 'resource_type',
  id: 'resource_id',
  order: 'position',
  parentId: 'parent_id',
  baseId: 'base_id',
})

/** A row of `pins`. */
export type PinRow = RowOf<typeof pinColumns>

/** The columns of `last_visits`. */
export const lastVisitColumns = columnsFor<LastVisit>()({
  userId: 'user_id',
  parentId: 'parent_id',
  resourceType: 'resource_type',
  resourceId: 'resource_id',
  childId: 'child_id',
  baseId: 'base_id',
  visitedTime: 'visited_time',
})

/** A row of `last_visits`. */
export type LastVisitRow = RowOf<typeof lastVisitColumns>
