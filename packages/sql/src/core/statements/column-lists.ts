import { type RawBuilder, sql } from 'kysely'
import type { TypedColumn } from '../dialect/typed-column.ts'

/** The names of the columns, as a statement lists them. */
export function nameList(columns: readonly Pick<TypedColumn, 'name'>[]): RawBuilder<unknown> {
  return sql.join(columns.map(({ name }) => sql.id(name)))
}
