import type { Table } from '@gateleg/domain/tables/table'
import { columnsFor, type MarkedRowOf } from '../table-columns.ts'

/** The columns of `tables`. */
export const tableColumns = columnsFor<Table>()({
  id: 'id',
  baseId: 'base_id',
  name: 'name',
  dbTableName: 'db_table_name',
  rebuiltName: 'rebuilt_name',
  description: 'description',
  icon: 'icon',
  version: 'version',
  schemaTag: 'schema_tag',
  searchIndex: 'search_index',
  createdBy: 'created_by',
  createdTime: 'created_time',
  lastModifiedTime: 'last_modified_time',
})

/** A row of `tables`. */
export type TableRow = MarkedRowOf<typeof tableColumns>
