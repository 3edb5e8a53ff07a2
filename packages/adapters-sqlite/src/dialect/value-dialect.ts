import { columnIn, type ValueDialect } from '@gateleg/sql/core/dialect/value-dialect'
import { sql } from 'kysely'

/** Values have types of their own here, whatever the column's is. */
export const valueDialect: ValueDialect = {
  bind: (place) => sql`${place}`,
  read: ({ name }, table) => columnIn(table, name),
  unique: sql`hex(randomblob(16))`,
  // That of a number is the length of its text, which SQLite makes to tell it.
  storedBytes: (name) => sql`octet_length(${sql.id(name)})`,
}
