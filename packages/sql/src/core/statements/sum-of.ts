import { type RawBuilder, sql } from 'kysely'

/** Terms in one pair of parentheses: SQLite takes no expression that is nested too deeply, as a long sum is. */
const termsTogether = 50

/** The sum of terms, however many; 0 of none. */
export function sumOf(terms: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (terms.length === 0) return sql.lit(0)
  const groups: RawBuilder<unknown>[] = []
  for (let start = 0; start < terms.length; start += termsTogether) {
    groups.push(sql`(${sql.join(terms.slice(start, start + termsTogether), sql` + `)})`)
  }
  return sql.join(groups, sql` + `)
}
