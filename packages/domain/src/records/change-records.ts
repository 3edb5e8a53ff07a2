import { assert } from '../errors.ts'
import type { Cell } from '../fields/field-type.ts'
import type { Column, TableSchema } from '../fields/table-schema.ts'
import { checkRows } from './check-rows.ts'
import { addMissingChoices } from './new-choices.ts'
import { type Reading, type Row, readRows, type SentRow } from './read-rows.ts'
import type { RecordChange } from './record-repository.ts'
import { type RecordView, toRecordViews } from './record-view.ts'
import type { RecordsContext } from './records-context.ts'
import type { StoredRecord } from './stored-record.ts'

/** The records as they are after a change, and as callers see them, in one order. */
export interface ChangedRecords {
  readonly records: readonly StoredRecord[]
  readonly views: readonly RecordView[]
}

/**
 * Changes the cells that a caller named of records that are held, all or none. A record whose cells
 * have the values already stays as it is.
 */
export async function changeRecords(
  context: RecordsContext,
  records: readonly StoredRecord[],
  sent: readonly SentRow[],
  reading: Reading,
): Promise<ChangedRecords> {
  const { tx, base, table, userId, now } = context
  const before = await tx.fields.schemaOf(table)
  const rows = await readRows(tx, base, before, sent, reading, records)
  const schema = reading.typecast ? await addMissingChoices(context, before, rows, reading) : before
  rows.forEach((row, index) => {
    keepChanges(row, recordAt(records, index))
  })
  await checkRows(tx, schema, rows, reading, records)
  followTracked(schema, rows, { lastModifiedBy: userId, lastModifiedTime: now })
  for (const { columns, changes } of groupByColumns(schema, records, rows)) {
    await tx.records.update(schema, columns, changes, { userId, time: now })
  }
  const recordIds = records.flatMap(({ id }, index) => (isChange(rows[index]) ? [id] : []))
  if (recordIds.length > 0) {
    const payload = { tableId: table.id, recordIds }
    tx.emit({ name: 'record.updated', time: now, userId, payload })
  }
  const changed = records.map((record, index) => {
    const row = rows[index]
    if (!row || !isChange(row)) return record
    const cells = record.cells.map((cell, i) => (row[i] === undefined ? cell : row[i]))
    const version = record.version + 1
    return { ...record, version, lastModifiedTime: now, lastModifiedBy: userId, cells }
  })
  const shape = { fieldKeyType: reading.fieldKeyType, cellFormat: 'json' } as const
  return { records: changed, views: await toRecordViews(tx, schema, changed, shape) }
}

function recordAt(records: readonly StoredRecord[], index: number): StoredRecord {
  const record = records[index]
  assert(record, 'every row changes a record')
  return record
}

/** Takes the cells out of the row that the record has already. */
function keepChanges(row: Row, { cells }: StoredRecord): void {
  row.forEach((cell, index) => {
    if (cell !== undefined && isSame(cell, cells[index] ?? null)) row[index] = undefined
  })
}

function isSame(a: Cell | null, b: Cell | null): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return JSON.stringify(a) === JSON.stringify(b)
}

function isChange(row: Row | undefined): boolean {
  return row?.some((cell) => cell !== undefined) ?? false
}

/** Fields that follow others note who changed one of those, and when. */
function followTracked(
  schema: TableSchema,
  rows: readonly Row[],
  by: Pick<StoredRecord, 'lastModifiedBy' | 'lastModifiedTime'>,
): void {
  for (const { column, systemColumn, trackedFieldIds } of schema.columns) {
    if (!trackedFieldIds) continue
    const tracked = schema.columns.filter(({ field }) => trackedFieldIds.has(field.id))
    const value = by[systemColumn === 'lastModifiedBy' ? 'lastModifiedBy' : 'lastModifiedTime']
    for (const row of rows) {
      if (tracked.some((other) => row[other.column.index] !== undefined)) row[column.index] = value
    }
  }
}

/** One change of many records per set of columns, so that each set is one statement. */
function groupByColumns(
  schema: TableSchema,
  records: readonly StoredRecord[],
  rows: readonly Row[],
): Iterable<{ readonly columns: readonly Column[]; readonly changes: readonly RecordChange[] }> {
  const groups = new Map<string, { columns: Column[]; changes: RecordChange[] }>()
  rows.forEach((row, index) => {
    if (!isChange(row)) return
    const columns = schema.columns
      .map(({ column }) => column)
      .filter((column) => row[column.index] !== undefined)
    const signature = columns.map((column) => column.index).join()
    const group = groups.get(signature) ?? { columns, changes: [] }
    group.changes.push({
      recordId: recordAt(records, index).id,
      values: columns.map((column) => row[column.index] ?? null),
    })
    groups.set(signature, group)
  })
  return groups.values()
}
