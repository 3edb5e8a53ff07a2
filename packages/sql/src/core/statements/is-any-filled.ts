import { type RawBuilder, sql } from 'kysely'

/** Columns whose conditions stand in one pair of brackets: SQLite takes no expression that is nested deeper than 1,000. */
const columnsTogether = 100

/** Whether any of the columns has a value. */
export function isAnyFilled(columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const groups: RawBuilder<unknown>[] = []
  for (let start = 0; start < columns.length; start += columnsTogether) {
    const some = columns.slice(start, start + columnsTogether)
    groups.push(sql`(${sql.join(some.map(isFilled), sql` or `)})`)
  }
  return sql`(${sql.join(groups, sql` or `)})`
}

function isFilled(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${column} is not null`
}
