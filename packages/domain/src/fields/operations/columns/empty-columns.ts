import type { Timestamp } from '../../../clock.ts'
import type { JobKind } from '../../../jobs/job-kind.ts'
import { nextRange } from '../../../records/reading/record-ranges.ts'
import { type LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { WriteTx } from '../../../store.ts'
import type { KeptValues } from '../../../undo/kept-value-repository.ts'

const kindName = 'empty-columns'

/** Has the retired columns of a table emptied in the background. */
export async function scheduleEmptying(
  tx: WriteTx,
  tableId: string,
  now: Timestamp,
): Promise<void> {
  const id = `${kindName}:${tableId}`
  await tx.jobs.hasten({ id, kind: kindName, dueTime: now, failures: 0 })
}

/**
 * Takes the values out of retired columns of one table, so many records at a time: what they take is free
 * for others then, and the columns can be given to other fields. Columns that are kept for steps of undo stay as they are.
 */
export const emptyColumns: JobKind = {
  name: kindName,
  isRecurring: false,
  periodMs: 0,
  run: async ({ tx, jobId }) => {
    const tableId = jobId.slice(kindName.length + 1)
    const graph = new SchemaGraph(tx, 'update')
    const place = await graph.find(tableId)
    const kept = await tx.keptValues.listOf(tableId)
    const lost = kept.find(({ counted }) => counted !== undefined)
    if (place && lost) return countLost(tx, place, lost)
    const conversions = await tx.calculations.conversionsOf(tableId)
    const used = new Set([
      ...conversions.flatMap(({ source, kept: back }) => [
        source.columnName,
        back?.field.columnName,
      ]),
      ...kept.map(({ columnName }) => columnName),
    ])
    const retired = await tx.fields.retiredColumns(tableId)
    const idle = retired.filter(({ name }) => !used.has(name))
    const after = idle[0]?.emptied
    if (!place || after === undefined) return 'over'
    const { schema } = place
    // Together where they are as far: each record is stored once, not once for each of them.
    const columns = idle.filter(({ emptied }) => emptied === after)
    const range = await nextRange(tx, schema, { after, withDeleted: true })
    if (range) await tx.columns.empty(schema, columns, range)
    const names = columns.map(({ name }) => name)
    const emptied = range?.isLast ? undefined : range?.until
    await tx.fields.noteEmptied(tableId, names, emptied)
    return 'more'
  },
}

/** Counts the next records as changed that lost a value which its column keeps: as if that were emptied. */
async function countLost(
  tx: WriteTx,
  { table, schema }: LoadedTable,
  { id, columnName, counted = 0 }: KeptValues,
): Promise<'more'> {
  const retired = await tx.fields.retiredColumns(table.id)
  const column = retired.find(({ name }) => name === columnName)
  const range = column && (await nextRange(tx, schema, { after: counted, withDeleted: true }))
  if (column && range) await tx.columns.touch(schema, column, range)
  await tx.keptValues.noteCounted(id, range?.isLast === false ? range.until : undefined)
  return 'more'
}
