import type { SqlDialect } from '@gateleg/sql/core/dialect/sql-dialect'
import { listDialect } from './dialect/list-dialect.ts'
import { lockDialect } from './dialect/lock-dialect.ts'
import { PlannedOnceCompiler } from './dialect/query-compiler.ts'
import { queryDialect } from './dialect/query-dialect.ts'
import { rowDialect } from './dialect/row-dialect.ts'
import { tableDialect } from './dialect/table-dialect.ts'
import { valueDialect } from './dialect/value-dialect.ts'
import { sqliteOwnTables } from './own-tables.ts'

/** The SQL that SQLite writes differently. */
export const sqliteDialect: SqlDialect = {
  ...sqliteOwnTables,
  createQueryCompiler: () => new PlannedOnceCompiler(),
  tables: tableDialect,
  values: valueDialect,
  lists: listDialect,
  rows: rowDialect,
  queries: queryDialect,
  locks: lockDialect,
}
