import { sql } from 'kysely'
import { ownTable } from '../core/own-tables/own-table.ts'
import type { SqlSession } from '../core/session.ts'

/** Characters of an id before those that were chosen. */
const prefixLength = 3

/** How many of the characters after it are asked for in either case: hardly another id of an instance begins with them. */
const startLength = 3

/** Comes after all characters of ids. */
const last = '~'

/** Which of the ids fields have, or have had, with letters in whatever case; in small letters. Reads few others. */
export async function idsInAnyCase(
  session: SqlSession,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = new Set(ids.map((id) => id.toLowerCase()))
  const starts = JSON.stringify([...new Set([...asked].flatMap(startsOf))])
  const { dialect } = session
  const rows = await session.allOnce<{ id: string }>(
    sql`select f.id as id from ${dialect.lists.items(sql`${starts}`, 'i')} join ${ownTable(dialect, 'fields')} as f on f.id >= i.value and f.id < i.value || ${sql.lit(last)}`,
  )
  return new Set(rows.map(({ id }) => id.toLowerCase()).filter((id) => asked.has(id)))
}

/** What the id may begin with. */
function startsOf(id: string): readonly string[] {
  const start = id.slice(prefixLength, prefixLength + startLength)
  return [...start].reduce(
    (starts, character) =>
      starts.flatMap((before) => [before + character, before + character.toUpperCase()]),
    [id.slice(0, prefixLength)],
  )
}
