import type { View } from '@gateleg/domain/views/view'
import { json } from '../core/column-codecs.ts'
import { columnsFor, type MarkedRowOf } from '../core/table-columns.ts'

/** The columns of `views`; some of them wait for what views can't do yet. */
export const viewColumns = columnsFor<View>()(
  {
    id: 'id',
    tableId: 'table_id',
    name: 'name',
    type: 'type',
    description: 'description',
    order: 'position',
    columnMeta: json('column_meta'),
    createdBy: 'created_by',
    createdTime: 'created_time',
    version: 'version',
  },
  {
    options: (): string => '{}',
    last_modified_by: (): string | null => null,
    last_modified_time: (): string | null => null,
  },
)

/** A row of `views`. */
export type ViewRow = MarkedRowOf<typeof viewColumns>
