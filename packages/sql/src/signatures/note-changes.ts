import { type Numbers, rangesText, toRanges } from '@gateleg/domain/indexes/number-ranges'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { waitForAll } from '@gateleg/domain/structures/wait-for-all'
import { prepared } from '../core/database.ts'
import type { SqlSession } from '../core/session.ts'
import type { SearchChangeRow } from '../metadata/tables/signature-tables.ts'

const insert = prepared<Omit<SearchChangeRow, 'id'>, unknown>((db, value, dialect) =>
  db.insertInto('search_changes').values({
    id: dialect.values.unique,
    table_id: value('table_id'),
    numbers: value('numbers'),
  }),
)

/**
 * Notes for the search index, where the table has one, that a statement of this transaction changes the cells of
 * records. Each note is a row of its own, so that nobody waits for others who write notes, nor for the work that
 * reads them.
 */
export async function noteChangedNumbers(
  session: SqlSession,
  schema: Pick<TableSchema, 'tableId' | 'notesChanges'>,
  numbers: readonly number[],
): Promise<void> {
  if (schema.notesChanges) await noteChangedRanges(session, schema.tableId, toRanges(numbers))
}

/**
 * Changes cells without waiting for the note first: where a storage accepts statements before it has answered earlier
 * ones, the note costs no extra round trip. Where both fail, the error is that of the note, which failed first.
 */
export async function whileNoting(noting: Promise<void>, change: () => Promise<void>) {
  await waitForAll([noting, change()])
}

/** Notes changed records by ranges of their numbers. */
export async function noteChangedRanges(
  session: SqlSession,
  tableId: string,
  ranges: readonly Numbers[],
): Promise<void> {
  if (ranges.length === 0) return
  await session.run(insert, { table_id: tableId, numbers: rangesText(ranges) })
}
