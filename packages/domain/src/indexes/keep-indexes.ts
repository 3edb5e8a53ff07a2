import { toTimestamp } from '../clock.ts'
import type { JobContext, JobKind } from '../jobs/job-kind.ts'
import { limits } from '../limits.ts'
import { searchKey } from '../schemas/search-key.ts'
import type { WriteTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import { dayMs } from '../values/dates/time-zone.ts'
import { scheduleSettling } from './settle-index.ts'
import type { IndexDemand, TableIndex } from './table-index.ts'
import { type IndexContext, unwantIndex, wantIndex } from './want-index.ts'

/** Milliseconds after which a use is noted again: each is a write. */
const usedAgainMs = 3_600_000

/** Milliseconds between two looks at an index. */
const checkedAgainMs = 9 * 60_000

/** Notes which indexes queries ask for, as many as a table may have, and takes back those that nobody needs any more. */
export const keepIndexes: JobKind = {
  name: 'keep-indexes',
  isRecurring: true,
  periodMs: 10 * 60_000,
  run: async (context) => {
    const { tx, nowMs } = context
    for (const demand of tx.tableIndexes.takeDemand(limits.queriesPerIndex)) {
      await heed(context, demand)
    }
    const most = limits.indexesCheckedAtOnce
    const due = await tx.tableIndexes.listUnchecked(toTimestamp(nowMs - checkedAgainMs), most)
    for (const index of due) await check(context, index)
    return due.length === most ? 'more' : 'later'
  },
}

/** Notes that the index is used, or wants it where there is room. */
async function heed(context: JobContext, { tableId, key }: IndexDemand): Promise<void> {
  const { tx, nowMs } = context
  const [table] = await tx.tables.findAll([tableId], 'none')
  if (!table) return
  const now = toTimestamp(nowMs)
  const indexes = await tx.tableIndexes.listOf(tableId)
  const known = indexes.find((index) => index.key === key)
  if (known) {
    const isNew = known.usedTime < toTimestamp(nowMs - usedAgainMs)
    if (isNew) await tx.tableIndexes.save({ ...known, usedTime: now })
    return
  }
  if (key === searchKey && table.searchIndex === 'off') return
  const schema = await tx.fields.schemaOf(table)
  // Numbers of records may lie far apart: the last one is no less than how many there are, which is longer to count.
  const last = await tx.recordScanner.lastNumber(schema)
  const most = key === searchKey ? Number.POSITIVE_INFINITY : tx.tableIndexes.recordsMax
  const least = isChosen(table, key) ? 0 : limits.recordsIndexed
  if (last < least || last > most) return
  if ((await tx.recordScanner.count(schema, least, 'withDeleted')) < least) return
  if (tx.tableIndexes.definitionOf(schema, key) === undefined) return
  if (!isChosen(table, key) && !(await makeRoom(context, table, indexes))) return
  await wantIndex({ tx, now }, table, key)
}

/** Whether people have switched the index of the key on: it is there whatever is asked of the table. */
function isChosen(table: Table, key: string): boolean {
  return key === searchKey && table.searchIndex === 'on'
}

/** Whether the table may have one more; has the one go that was not used for longest, where that is some days ago. */
async function makeRoom(
  context: JobContext,
  table: Table,
  indexes: readonly TableIndex[],
): Promise<boolean> {
  const counted = indexes.filter(({ key }) => !isChosen(table, key))
  if (counted.length < limits.indexesPerTable) return true
  const [oldest] = counted.toSorted((a, b) => (a.usedTime < b.usedTime ? -1 : 1))
  const before = toTimestamp(context.nowMs - limits.indexDaysBeforeOthers * dayMs)
  // It has to be gone before another one takes its place.
  if (oldest && oldest.usedTime < before) await unwantIndex(toIndexContext(context), oldest, table)
  return false
}

/** Whether it is still wanted, and as it should be. */
async function check(context: JobContext, index: TableIndex): Promise<void> {
  const { tx, nowMs } = context
  const now = toTimestamp(nowMs)
  const [table] = await tx.tables.findAll([index.tableId], 'none')
  const isUsed = index.usedTime >= toTimestamp(nowMs - limits.indexDaysUnused * dayMs)
  const isKept = table !== undefined && (isUsed || isChosen(table, index.key))
  const isSame = isKept && (await isAsItShouldBe(tx, table, index))
  if (!isSame) return unwantIndex(toIndexContext(context), index, table)
  await tx.tableIndexes.save({ ...index, checkedTime: now })
  // A worker may have been lost on the way.
  if (index.state !== 'ready' || index.key === searchKey) await scheduleSettling(tx, index, now)
}

async function isAsItShouldBe(tx: WriteTx, table: Table, index: TableIndex): Promise<boolean> {
  const { baseId, state, key, definition } = index
  if (baseId !== table.baseId) return false
  // Who keeps it makes it anew.
  if (key === searchKey) return table.searchIndex !== 'off'
  const wanted = tx.tableIndexes.definitionOf(await tx.fields.schemaOf(table), key)
  return wanted !== undefined && (state !== 'ready' || wanted === definition)
}

function toIndexContext({ tx, nowMs, ids }: JobContext): IndexContext {
  return { tx, ids, now: toTimestamp(nowMs) }
}
