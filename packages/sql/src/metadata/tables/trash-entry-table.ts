import type { TrashEntry } from '@gateleg/domain/trash/trash-entry'
import { flag, json } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `trash_entries`. */
export const trashEntryColumns = columnsFor<TrashEntry & { readonly isPurged: boolean }>()({
  id: 'id',
  placeId: 'place_id',
  resourceType: 'resource_type',
  resourceIds: json('resource_ids'),
  deletedTime: 'deleted_time',
  deletedBy: 'deleted_by',
  isPurged: flag('is_purged'),
})

/** A row of `trash_entries`. */
export type TrashEntryRow = RowOf<typeof trashEntryColumns>
