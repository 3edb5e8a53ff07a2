import { type Timestamp, toTimestamp } from '../../../clock.ts'
import type { JobKind } from '../../../jobs/job-kind.ts'
import { limits } from '../../../limits.ts'
import type { PhysicalColumn } from '../../../schemas/field-repository.ts'
import type { WriteTx } from '../../../store.ts'
import { type DbFieldType, dbFieldTypes } from '../../column-type.ts'

const kindName = 'rebuild-table'

/** Has columns of the table that are empty given other types in the background, where it has few left to add. */
async function scheduleRebuilding(tx: WriteTx, tableId: string, now: Timestamp): Promise<void> {
  const id = `${kindName}:${tableId}`
  await tx.jobs.hasten({ id, kind: kindName, dueTime: now, failures: 0 })
}

/** Looks for tables with so many empty columns that they may run out of those of some type. */
export const findWornTables: JobKind = {
  name: 'find-worn-tables',
  isRecurring: true,
  periodMs: 10 * 60_000,
  run: async ({ tx, nowMs }) => {
    for (const tableId of await tx.fields.tablesWithEmptyColumns(limits.columnsEmptyOfWornTable)) {
      await scheduleRebuilding(tx, tableId, toTimestamp(nowMs))
    }
    return 'later'
  },
}

/**
 * Gives empty columns of a table that no field has any more other types, so that a field of any type finds one: a database
 * counts columns in the lifetime of a table. That rewrites the table, for which others wait: one of many records stays as it is,
 * and what is done in one run is what one rewriting does.
 */
export const rebuildTable: JobKind = {
  name: kindName,
  isRecurring: false,
  isLong: true,
  periodMs: 0,
  run: async ({ tx, jobId }) => {
    const [table] = await tx.tables.findAll([jobId.slice(kindName.length + 1)], 'update')
    if (!table) return 'over'
    if ((await tx.fields.countColumns(table)) <= limits.columnsOfWornTable) return 'over'
    if (tx.fields.rewritesToRetype) {
      const last = await tx.recordScanner.lastNumber(await tx.fields.schemaOf(table))
      if (last > limits.recordsOfRebuiltTable) return 'over'
    }
    const changes = toRetype(await tx.fields.emptyColumns(table.id))
    if (changes.length === 0) return 'over'
    await tx.fields.retypeColumns(table, changes)
    return 'more'
  },
}

/**
 * Columns of the types of which there are most, with the types of which there are few; none before there is less than half of what
 * is enough of some type, and none from a type that would have too few then.
 */
export function toRetype(empty: readonly PhysicalColumn[]): readonly PhysicalColumn[] {
  const byType = new Map(dbFieldTypes.map((type) => [type, [] as PhysicalColumn[]]))
  for (const column of empty) byType.get(column.type)?.push(column)
  const least = limits.emptyColumnsOfType
  const countOf = (type: DbFieldType) => byType.get(type)?.length ?? 0
  const changed: PhysicalColumn[] = []
  if (typesOfFields.every((type) => countOf(type) >= least / 2)) return changed
  for (const type of typesOfFields) {
    for (let count = countOf(type); count < least; count++) {
      const most = [...byType.values()].reduce((a, b) => (b.length > a.length ? b : a))
      const column = most.length > least ? most.pop() : undefined
      if (!column) return changed
      changed.push({ name: column.name, type })
    }
  }
  return changed
}

/** The types of columns that fields have. */
const typesOfFields: readonly DbFieldType[] = dbFieldTypes.filter((type) => type !== 'BLOB')
