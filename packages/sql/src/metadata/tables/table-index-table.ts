import type { TableIndex } from '@gateleg/domain/indexes/table-index'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `table_indexes`. */
export const tableIndexColumns = columnsFor<TableIndex>()({
  name: 'name',
  tableId: 'table_id',
  baseId: 'base_id',
  key: 'key',
  state: 'state',
  definition: 'definition',
  usedTime: 'used_time',
  checkedTime: 'checked_time',
})

/** A row of `table_indexes`. */
export type TableIndexRow = RowOf<typeof tableIndexColumns>
