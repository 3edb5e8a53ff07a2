import type { WorkRow } from '../../calculations/evaluate-rows.ts'
import { computeBefore, planUpdate } from '../../calculations/plan-write.ts'
import { readMembers } from '../../calculations/read-members.ts'
import { StepBudget } from '../../calculations/step-budget.ts'
import { assert } from '../../errors.ts'
import type { Cell } from '../../fields/cell.ts'
import { limits } from '../../limits.ts'
import { targetFinder } from '../../links/find-targets.ts'
import { resolveLinks } from '../../links/resolve-links.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { Column, ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { isSameCell } from '../is-same-cell.ts'
import { mapInTurns } from '../map-in-turns.ts'
import type { RecordInput, Row } from '../record-change.ts'
import { type RecordOutput, toRecordOutputs } from '../record-output.ts'
import type { RecordChange } from '../record-writer.ts'
import type { RecordsContext } from '../records-context.ts'
import type { StoredRecord } from '../stored-record.ts'
import { checkRows } from './check-rows.ts'
import { finishWrite, refresh } from './finish-write.ts'
import { addMissingChoices } from './new-choices.ts'
import { noteWritten } from './note-written.ts'
import { type Reading, readRows } from './read-rows.ts'
import { resolveFiles } from './resolve-files.ts'

/** The records as they are after a change, and as callers see them, in one order. */
export interface ChangedRecords {
  readonly records: readonly StoredRecord[]
  readonly views: readonly RecordOutput[]
}

/**
 * Changes the cells that a caller named of records that are held, all or none. A record whose cells
 * have the values already stays as it is.
 */
export async function changeRecords(
  context: RecordsContext,
  held: readonly StoredRecord[],
  sent: readonly RecordInput[],
  reading: Reading,
): Promise<ChangedRecords> {
  const { tx, base, table, userId, now } = context
  const graph = new SchemaGraph(tx, 'share')
  const { schema: first } = await graph.put(table)
  const reader = { tx, base, now, findTargets: targetFinder(context, graph) }
  const rows = await readRows(reader, first, sent, reading, held)
  if (reading.typecast) await addMissingChoices(context, graph, first, rows, reading)
  const place = await graph.get(table.id)
  const { schema } = place
  const records = await withPairs(tx, schema, held, rows)
  const sentRows = { rows, places: reading, changed: records }
  await resolveFiles(context, schema, sentRows)
  const budget = new StepBudget(limits.stepsPerWrite)
  const spend = (steps: number) => budget.spend(steps)
  await resolveLinks(context, graph, schema, { ...sentRows, spend })
  await noteWritten(tx, schema, records, rows)
  await mapInTurns(tx, rows, (row, index) => keepChanges(row, recordAt(records, index)))
  await checkRows(tx, schema, rows, reading, records)
  followTracked(schema, rows, { lastModifiedBy: userId, lastModifiedTime: now })
  const plan = await planUpdate(graph, place, changedFields(schema, rows))
  const indexes = [...records.keys()].filter((index) => isChange(rows[index]))
  const before = indexes.map((index) => recordAt(records, index))
  const entered = await mapInTurns(tx, indexes, (index): StoredRecord => {
    const record = recordAt(records, index)
    const version = record.version + 1
    const cells = withChanges(record, rows[index] ?? [])
    return { ...record, version, lastModifiedTime: now, lastModifiedBy: userId, cells }
  })
  const evaluator = { tx, graph, now, budget }
  const worked = await computeBefore(evaluator, schema, plan.before, entered)
  const { records: after, doneCount } = worked
  for (const { columns, changes } of await groupByColumns(tx, schema, before, after)) {
    await tx.recordWriter.update(schema, columns, changes, { userId, time: now })
  }
  if (after.length > 0) {
    const payload = { tableId: table.id, recordIds: after.map(({ id }) => id) }
    tx.emit({ name: 'record.updated', time: now, userId, payload })
  }
  const changedAgain = await finishWrite(context, graph, place, plan, {
    records: after,
    before: before.map((record) => record.cells),
    doneCount,
    budget,
    places: { ...reading, pathOf: (row) => reading.pathOf(indexes[row] ?? row) },
  })
  const written = new Map(after.map((record) => [record.id, record]))
  const changed = await refresh(
    tx,
    schema,
    records.map((record) => written.get(record.id) ?? record),
    changedAgain,
  )
  const { actor } = context
  const shape = { fieldKeyType: reading.fieldKeyType, cellFormat: 'json', actor } as const
  return { records: changed, views: await toRecordOutputs(tx, schema, changed, shape) }
}

/**
 * The records with the links that they have by now in the cells that rows change: those of a pending
 * field may be behind.
 */
async function withPairs(
  tx: ReadTx,
  schema: TableSchema,
  held: readonly StoredRecord[],
  rows: readonly Row[],
): Promise<readonly StoredRecord[]> {
  const behind = schema.columns.filter(({ field, link }) => link && field.isPending)
  if (behind.length === 0) return held
  const records = held.map((record): WorkRow => ({ ...record, cells: [...record.cells] }))
  for (const schemaField of behind) {
    const { index } = schemaField.column
    const changed = records.filter((_, row) => rows[row]?.[index] !== undefined)
    await readMembers(tx, [schemaField], changed)
  }
  return records
}

/** The fields in which at least one of the rows changes something. */
function changedFields(schema: TableSchema, rows: readonly Row[]): readonly ColumnField[] {
  return schema.columns.filter(({ column }) => rows.some((row) => row[column.index] !== undefined))
}

function withChanges({ cells }: StoredRecord, row: Row): readonly (Cell | null)[] {
  return cells.map((cell, index) => {
    const change = row[index]
    return change === undefined ? cell : change
  })
}

function recordAt(records: readonly StoredRecord[], index: number): StoredRecord {
  const record = records[index]
  assert(record, 'every row changes a record')
  return record
}

/** Takes the cells out of the row that the record has already. */
function keepChanges(row: Row, { cells }: StoredRecord): void {
  row.forEach((cell, index) => {
    if (cell !== undefined && isSameCell(cell, cells[index] ?? null)) row[index] = undefined
  })
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
async function groupByColumns(
  tx: ReadTx,
  schema: TableSchema,
  before: readonly StoredRecord[],
  after: readonly StoredRecord[],
): Promise<
  Iterable<{ readonly columns: readonly Column[]; readonly changes: readonly RecordChange[] }>
> {
  const groups = new Map<string, { columns: Column[]; changes: RecordChange[] }>()
  await mapInTurns(tx, after, ({ autoNumber, cells }, index) => {
    const old = recordAt(before, index).cells
    const columns = schema.columns
      .map(({ column }) => column)
      .filter((column) => !isSameCell(old[column.index] ?? null, cells[column.index] ?? null))
    const signature = columns.map((column) => column.index).join()
    const group = groups.get(signature) ?? { columns, changes: [] }
    const values = columns.map((column) => cells[column.index] ?? null)
    group.changes.push({ autoNumber, values })
    groups.set(signature, group)
  })
  return groups.values()
}
