import { computeBefore, planInsert } from '../../calculations/plan-write.ts'
import { StepBudget } from '../../calculations/step-budget.ts'
import type { Cell } from '../../fields/cell.ts'
import { limits } from '../../limits.ts'
import { targetFinder } from '../../links/find-targets.ts'
import { resolveLinks } from '../../links/resolve-links.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { FieldKeyType, TableSchema } from '../../schemas/table-schema.ts'
import type { RecordInput, Row } from '../record-change.ts'
import { type RecordOutput, toRecordOutputs } from '../record-output.ts'
import type { RecordsContext } from '../records-context.ts'
import type { NewRecord, StoredRecord } from '../stored-record.ts'
import { checkRows } from './check-rows.ts'
import { finishWrite, refresh } from './finish-write.ts'
import { addMissingChoices } from './new-choices.ts'
import { type Reading, readRows } from './read-rows.ts'
import { resolveFiles } from './resolve-files.ts'

/** New records, as a caller sent them. */
export interface SentRecords {
  readonly records: readonly RecordInput[]
  readonly fieldKeyType: FieldKeyType
  readonly typecast: boolean
}

/** Adds records in the order given, all or none. Returns them as callers see them, in that order. */
export async function insertRecords(
  context: RecordsContext,
  { records, fieldKeyType, typecast }: SentRecords,
): Promise<RecordOutput[]> {
  const { tx, base, table, userId, now, ids } = context
  const reading: Reading = { fieldKeyType, typecast, pathOf: (row) => ['records', row] }
  const graph = new SchemaGraph(tx, 'share')
  const { schema: first } = await graph.put(table)
  const reader = { tx, base, now, findTargets: targetFinder(context, graph) }
  const rows = await readRows(reader, first, records, reading)
  if (typecast) await addMissingChoices(context, graph, first, rows, reading)
  const place = await graph.get(table.id)
  const { schema } = place
  await resolveFiles(context, schema, { rows, places: reading, changed: undefined })
  const budget = new StepBudget(limits.stepsPerWrite)
  const spend = (steps: number) => budget.spend(steps)
  await resolveLinks(context, graph, schema, { rows, places: reading, changed: undefined, spend })
  const creation = {
    createdTime: now,
    lastModifiedTime: now,
    createdBy: userId,
    lastModifiedBy: null,
  }
  const complete = completed(schema, rows, creation)
  await checkRows(tx, schema, complete, reading)
  const newIds = ids.many('record', complete.length)
  const entered = complete.map(
    (cells, i): StoredRecord => ({
      id: newIds[i] ?? '',
      autoNumber: 0,
      ...creation,
      version: 1,
      cells,
    }),
  )
  const plan = await planInsert(graph, place)
  const evaluator = { tx, graph, now, budget }
  const made = await computeBefore(evaluator, schema, plan.before, entered)
  const numbers = await tx.recordWriter.insert(schema, made.records)
  const inserted = made.records.map((record, i) => ({ ...record, autoNumber: numbers[i] ?? 0 }))
  if (inserted.length > 0) {
    const recordIds = inserted.map(({ id }) => id)
    const payload = { tableId: table.id, recordIds }
    tx.emit({ name: 'record.created', time: now, userId, payload })
  }
  const written = {
    records: inserted,
    before: undefined,
    doneCount: made.doneCount,
    budget,
    places: reading,
  }
  const changedAgain = await finishWrite(context, graph, place, plan, written)
  const stored = await refresh(tx, schema, inserted, changedAgain)
  return toRecordOutputs(tx, schema, stored, {
    fieldKeyType,
    cellFormat: 'json',
    actor: context.actor,
  })
}

type Made = Pick<NewRecord, 'createdTime' | 'lastModifiedTime' | 'createdBy' | 'lastModifiedBy'>

/**
 * Gives the cells that a new record's caller did not name what their fields say, else null. Fields that
 * tell of the last change have nothing to tell of a new record.
 */
function completed(schema: TableSchema, rows: readonly Row[], made: Made): (Cell | null)[][] {
  const context = { userId: made.createdBy, now: made.createdTime }
  for (const { rules, column, systemColumn, isWritable } of schema.columns) {
    if (systemColumn && systemColumn !== 'autoNumber') {
      const isOfLastChange = systemColumn.startsWith('lastModified')
      for (const row of rows) row[column.index] = isOfLastChange ? null : made[systemColumn]
    } else {
      const cell = isWritable ? (rules.defaultCell?.(context) ?? null) : null
      for (const row of rows) if (row[column.index] === undefined) row[column.index] = cell
    }
  }
  return rows as (Cell | null)[][]
}
