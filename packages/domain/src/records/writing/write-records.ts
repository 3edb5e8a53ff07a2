import { StepBudget } from '../../calculations/evaluation/step-budget.ts'
import { limits } from '../../limits.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { RecordInput } from '../input/record-input.ts'
import { areManyRecords } from '../reading/are-many-records.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import type {
  ReadRows,
  RecordWrite,
  RowOptions,
  WriteStrategy,
  WrittenRecords,
} from './record-write.ts'
import { checkRows } from './stages/check-rows.ts'
import { computeRecords } from './stages/compute-records.ts'
import { followWrite } from './stages/follow-write.ts'
import { readRows } from './stages/read-rows.ts'
import { resolveRows } from './stages/resolve-rows.ts'
import { storeRecords } from './stages/store-records.ts'

/**
 * Writes records, all of them or none: the strategy says whether what was sent makes new records or changes
 * existing ones. Each stage builds on what the one before returned and changes nothing of it. Throws
 * validation_error with what is wrong in terms of the request, not_found for a key that names no field.
 */
export async function writeRecords(
  context: RecordsContext,
  strategy: WriteStrategy,
  sent: readonly RecordInput[],
  options: RowOptions,
): Promise<WrittenRecords> {
  // Values are read and checked before others have to wait.
  if (areManyRecords(sent)) context.tx.becomeLong({ readsFirst: true })
  const write = toWrite(context, strategy, options)
  // JSON values become cells.
  return writeRows(write, await readRows(write, sent))
}

/** A write that is about to begin. */
export function toWrite(
  context: RecordsContext,
  strategy: WriteStrategy,
  options: RowOptions,
): RecordWrite {
  const graph = new SchemaGraph(context.tx, 'share')
  const budget = new StepBudget(limits.stepsPerWrite)
  return { context, graph, options, strategy, budget }
}

/** Writes cells that were read already, by all the other stages. */
export async function writeRows(write: RecordWrite, read: ReadRows): Promise<WrittenRecords> {
  // What cells name outside of their record is found: choices, files, linked records.
  const resolved = await resolveRows(write, read)
  // What the write will leave is complete, and allowed.
  const checked = await checkRows(write, resolved)
  // Cells of the same records that follow from the others are computed.
  const computed = await computeRecords(write, checked)
  await write.options.onComputed?.(computed.loaded.schema, computed.records)
  // The records are stored, and listeners will be told of them.
  const stored = await storeRecords(write, computed)
  // Links, and cells of other records, follow.
  return followWrite(write, stored)
}
