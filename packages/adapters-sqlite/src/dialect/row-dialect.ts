import { limits } from '@gateleg/domain/limits'
import type { RowDialect } from '@gateleg/sql/core/dialect/row-dialect'
import { nameList } from '@gateleg/sql/core/statements/column-lists'
import { sql } from 'kysely'
import { waitingColumns, waitingTable } from '../connection/waiting-rows.ts'

/** Rows that one statement takes, largest first: its text depends on their number. */
const rowCounts = [256, 32, 4, 1]

/** Rows that one statement takes where they have few columns: a whole batch of what is computed. */
const manyRows = 1_000
const fewColumns = 4

/** Values that one statement may have; leaves room for those beside the rows. */
const variablesMax = 32_000

/** Rows are values side by side: a statement takes as many as it was written for. */
export const rowDialect: RowDialect = {
  // Nothing is copied to be sent: how much one statement takes is bounded by what others wait for.
  get lengthPerStatement() {
    return limits.recordsLength
  },
  perStatement: (columns, left) => {
    const most = Math.min(left, Math.floor(variablesMax / columns))
    if (most >= manyRows && columns <= fewColumns) return manyRows
    return rowCounts.find((rows) => rows <= most) ?? 1
  },
  table: (name, columns, rows) => {
    // As text: thousands of places would each be a node for the compiler, and take it milliseconds.
    const row = `(${columns.map(() => '?').join()})`
    const values = sql.raw(new Array(rows).fill(row).join())
    return sql`(with rows(${nameList(columns)}) as (values ${values}) select * from rows) as ${sql.raw(name)}`
  },
  waiting: (name, columns) => {
    const places = waitingColumns(columns.length)
    const named = columns.map(
      (column, index) => sql`${sql.raw(places[index] ?? '')} as ${sql.id(column.name)}`,
    )
    // A table without an index is read in the order in which its rows were added.
    const table = sql.raw(waitingTable(columns.length))
    return sql`(select ${sql.join(named)} from ${table}) as ${sql.raw(name)}`
  },
  shape: (rows) => rows,
  areJoinedWithin: false,
  bind: (_columns, rows) => rows.flat(),
}
