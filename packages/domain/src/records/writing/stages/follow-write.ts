import { calculate } from '../../../calculations/calculate.ts'
import { scheduleRecords, scheduleStages } from '../../../calculations/pending/schedule-stages.ts'
import { changedCells } from '../../../calculations/plan-write.ts'
import { changedWithEveryRecord } from '../../../calculations/stages/dependents.ts'
import { changeLinks, type LinkingRecord } from '../../../links/change-links.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import type { ReadTx } from '../../../store.ts'
import { collectRecords } from '../../reading/scan-records.ts'
import type { everyRecord } from '../../stored/every-record.ts'
import type { StoredRecord } from '../../stored/stored-record.ts'
import type { ComputedRecords, RecordWrite, WrittenRecords } from '../record-write.ts'

/**
 * Does what follows from records that were stored: stores their links and brings what depends on them up to
 * date, or leaves it to the background. Throws validation_error where a record comes to have too many links.
 */
export async function followWrite(
  write: RecordWrite,
  stored: ComputedRecords,
): Promise<WrittenRecords> {
  const { existing, records, rowIndexes } = stored
  const { schema } = stored.loaded
  // Most writes: nothing of the records is looked at again.
  const changedAgain = isFollowed(stored) ? await followRecords(write, stored) : none
  const byRow = [...existing]
  records.forEach((record, index) => {
    byRow[rowIndexes[index] ?? index] = record
  })
  if (changedAgain.size === 0) return { schema, records: byRow }
  return { schema, records: await refresh(write.context.tx, schema, byRow, changedAgain) }
}

/** Whether anything follows from the records, or some are not computed. */
export function isFollowed({ loaded, plan, doneCount, ...written }: ComputedRecords): boolean {
  if (doneCount < written.records.length || plan.after.length > 0) return true
  return changeLinkCells(loaded.schema, written)
}

/** Whether any record may have other links than before: cells that stay are the same ones. */
function changeLinkCells(
  { columns }: TableSchema,
  { before, records }: Pick<ComputedRecords, 'before' | 'records'>,
): boolean {
  const indexes = columns.flatMap(({ link, column }) => (link ? [column.index] : []))
  if (indexes.length === 0) return false
  return records.some(({ cells }, at) =>
    indexes.some((index) => (cells[index] ?? null) !== (before[at]?.cells[index] ?? null)),
  )
}

const none: ReadonlySet<string> = new Set()

/** Returns which records of the table changed again by what follows. */
async function followRecords(
  { context, graph, options, budget }: RecordWrite,
  { loaded, plan, records, rowIndexes, before, doneCount }: ComputedRecords,
): Promise<ReadonlySet<string>> {
  const { table, schema } = loaded
  const isDone = doneCount === records.length
  const changes = records.map(
    ({ id, cells }, index): LinkingRecord => ({ id, before: before[index]?.cells, after: cells }),
  )
  const pathOf = (index: number) => options.pathOf(rowIndexes[index] ?? index)
  const locator = { ...options, pathOf }
  const { places } = options
  const otherSide = await changeLinks(context.tx, loaded, changes, { graph, locator, places })
  if (!isDone) {
    await scheduleStages(context, plan.after)
    await scheduleRecords(context, { ...loaded, fields: plan.before }, records.slice(doneCount))
    return none
  }
  if (plan.after.length === 0) return none
  const recordIds = records.map(({ id }) => id)
  const changed = new Map(changedCells(schema, changes))
  for (const fieldId of changedWithEveryRecord(schema)) changed.set(fieldId, recordIds)
  const dirty = new Map<string, Iterable<string> | typeof everyRecord>(otherSide)
  for (const fieldId of plan.dirty) dirty.set(fieldId, recordIds)
  const { touched } = await calculate(context, graph, plan.after, { changed, dirty, budget })
  return touched.get(table.id) ?? none
}

/** The records, in the same order, those that changed again as they are now. */
async function refresh(
  tx: ReadTx,
  schema: TableSchema,
  records: readonly StoredRecord[],
  changedAgain: ReadonlySet<string>,
): Promise<readonly StoredRecord[]> {
  const ids = records.flatMap(({ id }) => (changedAgain.has(id) ? [id] : []))
  if (ids.length === 0) return records
  const byId = await collectRecords(tx, schema, ids, 'none')
  return records.map((record) => byId.get(record.id) ?? record)
}
