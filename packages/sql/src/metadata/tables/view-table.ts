import type { View } from '@gateleg/domain/views/view'
import { flag, json, nullableJson } from '../column-codecs.ts'
import { columnsFor, type MarkedRowOf } from '../table-columns.ts'

/** The columns of `views`. */
export const viewColumns = columnsFor<View>()({
  id: 'id',
  tableId: 'table_id',
  name: 'name',
  type: 'type',
  description: 'description',
  order: 'position',
  options: json('options'),
  filter: nullableJson('filter'),
  sort: nullableJson('sort'),
  group: nullableJson('grouping'),
  columnMeta: json('column_meta'),
  rowOrder: nullableJson('row_order'),
  isLocked: flag('is_locked'),
  createdBy: 'created_by',
  createdTime: 'created_time',
  lastModifiedBy: 'last_modified_by',
  lastModifiedTime: 'last_modified_time',
  version: 'version',
})

/** A row of `views`. */
export type ViewRow = MarkedRowOf<typeof viewColumns>
