import { type Numbers, rangesText, toRanges } from '@gateleg/domain/indexes/number-ranges'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import type { SearchChangeRow } from './signature-tables.ts'

const insert = prepared<Omit<SearchChangeRow, 'id'>, unknown>((db, value, dialect) =>
  db.insertInto('search_changes').values({
    id: dialect.values.unique,
    table_id: value('table_id'),
    numbers: value('numbers'),
  }),
)

/**
 * Notes for the index of searches that a statement of this transaction changes the cells of records, where the table has
 * one. Each note is a row of its own: nobody waits for another one who notes, nor for who takes the notes in.
 */
export async function noteChangedNumbers(
  session: SqlSession,
  schema: Pick<TableSchema, 'tableId' | 'notesChanges'>,
  numbers: readonly number[],
): Promise<void> {
  if (schema.notesChanges) await noteChangedRanges(session, schema.tableId, toRanges(numbers))
}

/**
 * Changes cells without waiting for the note of it first: where a storage takes statements before it has answered others,
 * the note costs no trip of its own. Where both fail, the note has failed first, and says why.
 */
export async function whileNoting(noting: Promise<void>, change: () => Promise<void>) {
  const [noted, changed] = await Promise.allSettled([noting, change()])
  for (const ended of [noted, changed]) if (ended.status === 'rejected') throw ended.reason
}

/** Notes the records of ranges. */
export async function noteChangedRanges(
  session: SqlSession,
  tableId: string,
  ranges: readonly Numbers[],
): Promise<void> {
  if (ranges.length === 0) return
  await session.run(insert, { table_id: tableId, numbers: rangesText(ranges) })
}
