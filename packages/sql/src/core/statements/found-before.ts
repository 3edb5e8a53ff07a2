import { type RawBuilder, sql } from 'kysely'

/**
 * The column as no index has it, for a condition on rows that another condition finds by their keys. Of an equality and a
 * list SQLite takes the index of the equality, and reads a whole space to find one of its files.
 */
export function foundBefore<Value = string>(column: string): RawBuilder<Value> {
  const value = sql.ref(column)
  return sql`coalesce(${value}, ${value})`
}
