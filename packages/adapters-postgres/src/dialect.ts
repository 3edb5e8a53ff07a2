import type { SqlDialect } from '@gateleg/sql/core/dialect/sql-dialect'
import { listDialect } from './dialect/list-dialect.ts'
import { lockDialect } from './dialect/lock-dialect.ts'
import { NumberedPlacesCompiler } from './dialect/query-compiler.ts'
import { queryDialect } from './dialect/query-dialect.ts'
import { rowDialect } from './dialect/row-dialect.ts'
import { tableDialect } from './dialect/table-dialect.ts'
import { valueDialect } from './dialect/value-dialect.ts'
import { postgresOwnTables } from './own-tables.ts'

const dialects = new Map<string, SqlDialect>()

/** The SQL that PostgreSQL writes differently, with the product's own tables in the schema. One object per schema. */
export function postgresDialect(metadataSchema: string): SqlDialect {
  let dialect = dialects.get(metadataSchema)
  if (!dialect) {
    dialect = {
      createQueryCompiler: () => new NumberedPlacesCompiler(),
      ...postgresOwnTables(metadataSchema),
      tables: tableDialect,
      values: valueDialect,
      lists: listDialect,
      rows: rowDialect,
      queries: queryDialect,
      locks: lockDialect(metadataSchema),
    }
    dialects.set(metadataSchema, dialect)
  }
  return dialect
}
