import type { RecordQuery } from '@gateleg/domain/queries/record-query'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { withNotedPlaces } from '../record-tables/row-order-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { orderSql, queryTerms } from '../records/expressions/sort-sql.ts'

/** By what all records of a table are ordered. */
export type Ordering = Pick<RecordQuery, 'keys' | 'rowOrder'>

/** What a query of all records of a table, in an order, is made of. */
interface RecordsInOrder {
  /** The records, as `t`. */
  readonly from: RawBuilder<unknown>
  readonly number: RawBuilder<number>
  /** What stands behind `order by`. */
  readonly ordered: RawBuilder<unknown>
}

/** All records of a table, deleted ones too, and what they are ordered by. */
export function recordsInOrder(
  schema: TableSchema,
  order: Ordering,
  dialect: SqlDialect,
): RecordsInOrder {
  const terms = queryTerms(order, dialect)
  const names = terms.map((_, index) => sql.id(`s${index}`))
  const number = sql.ref<number>(`t.${systemColumns.autoNumber.name}`)
  const values = [number, ...terms.map(({ value }, index) => sql`${value} as ${names[index]}`)]
  const records = withNotedPlaces(schema, order.rowOrder, dialect)
  return {
    from: sql`(select ${sql.join(values)} from ${records}) as t`,
    number,
    ordered: orderSql(terms, names),
  }
}
