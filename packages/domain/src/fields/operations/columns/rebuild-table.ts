import { type Timestamp, toTimestamp } from '../../../clock.ts'
import type { JobKind } from '../../../jobs/job-kind.ts'
import { limits } from '../../../limits.ts'
import type { PhysicalColumn } from '../../../schemas/field-repository.ts'
import type { WriteTx } from '../../../store.ts'
import { placeOfRecords, type Table } from '../../../tables/table.ts'
import { type DbFieldType, dbFieldTypes } from '../../column-type.ts'
import { copyWornTable } from './copy-worn-table.ts'

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
    const worn = await tx.fields.tablesWithEmptyColumns(limits.columnsEmptyOfWornTable)
    // Those too that somebody has begun with, who was lost.
    for (const tableId of new Set([...worn, ...(await tx.tableRebuilds.tableIds())])) {
      await scheduleRebuilding(tx, tableId, toTimestamp(nowMs))
    }
    return 'later'
  },
}

/**
 * Rebuilds a table with many columns that are empty and of no field: a database counts columns in the lifetime of a table. Either
 * empty columns get other types, so that a field of any type finds one; or, where that would rewrite the table, it is copied into
 * a new one without them.
 */
export const rebuildTable: JobKind = {
  name: kindName,
  isRecurring: false,
  isLong: true,
  periodMs: 10_000,
  run: async ({ tx, jobId, ids, failures }) => {
    const tableId = jobId.slice(kindName.length + 1)
    if (!tx.fields.retypes) return copyWornTable({ tx, ids, failures }, tableId, isWorn)
    const [table] = await tx.tables.findAll([tableId], 'update')
    if (!table || !(await hasManyColumns(tx, table))) return 'over'
    const changes = toRetype(await tx.fields.emptyColumns(table.id))
    if (changes.length > 0) await tx.fields.retypeColumns(table, changes)
    return 'over'
  },
}

async function hasManyColumns(tx: WriteTx, table: Table): Promise<boolean> {
  return (await tx.fields.countColumns(placeOfRecords(table))) > limits.columnsOfWornTable
}

/** Whether it has many columns, and so many that are empty that it would have less without them. */
async function isWorn(tx: WriteTx, table: Table): Promise<boolean> {
  const empty = await tx.fields.emptyColumns(table.id)
  return empty.length >= limits.columnsEmptyOfWornTable && (await hasManyColumns(tx, table))
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
