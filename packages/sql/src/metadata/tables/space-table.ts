import type { Space } from '@gateleg/domain/spaces/space'
import { columnsFor, type MarkedRowOf } from '../table-columns.ts'

/** The columns of `spaces`. */
export const spaceColumns = columnsFor<Space>()({
  id: 'id',
  name: 'name',
  createdBy: 'created_by',
  createdTime: 'created_time',
  version: 'version',
})

/** A row of `spaces`. */
export type SpaceRow = MarkedRowOf<typeof spaceColumns>
