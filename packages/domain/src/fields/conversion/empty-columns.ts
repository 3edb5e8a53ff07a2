import { SchemaGraph } from '../../calculations/schema-graph.ts'
import type { Timestamp } from '../../clock.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'

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
 * for others then, and the columns can be given to other fields.
 */
export const emptyColumns: JobKind = {
  name: kindName,
  isRecurring: false,
  periodMs: 0,
  run: async ({ tx, jobId }) => {
    const tableId = jobId.slice(kindName.length + 1)
    const graph = new SchemaGraph(tx, 'update')
    const place = await graph.find(tableId)
    const conversions = await tx.calculations.conversionsOf(tableId)
    const used = new Set(conversions.map(({ source }) => source.columnName))
    const retired = await tx.fields.retiredColumns(tableId)
    const column = retired.find(({ name }) => !used.has(name))
    if (!place || !column) return 'over'
    const { schema } = place
    const last = await tx.records.lastNumber(schema)
    const until = column.emptied + limits.recordsPerCalculation
    await tx.records.emptyColumn(schema, column, { after: column.emptied, until })
    const emptied = until < last ? until : undefined
    await tx.fields.noteEmptied(tableId, column.name, emptied)
    return 'more'
  },
}
