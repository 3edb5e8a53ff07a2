import type { Base } from '@gateleg/domain/bases/base'
import { columnsFor, type MarkedRowOf } from '../table-columns.ts'

/** The columns of `bases`. */
export const baseColumns = columnsFor<Base>()({
  id: 'id',
  spaceId: 'space_id',
  name: 'name',
  icon: 'icon',
  order: 'position',
  createdBy: 'created_by',
  createdTime: 'created_time',
  lastModifiedTime: 'last_modified_time',
  version: 'version',
})

/** A row of `bases`. */
export type BaseRow = MarkedRowOf<typeof baseColumns>
