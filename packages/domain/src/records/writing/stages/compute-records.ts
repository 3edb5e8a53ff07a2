import { computeBefore } from '../../../calculations/plan-write.ts'
import type { CheckedRows, ComputedRecords, RecordWrite } from '../record-write.ts'

/**
 * Makes the records to store, and computes the cells that follow from others of the same record and can be
 * known before it is stored, as far as the budget goes.
 */
export async function computeRecords(
  write: RecordWrite,
  checked: CheckedRows,
): Promise<ComputedRecords> {
  const { context, graph, budget, strategy } = write
  const { loaded, existing } = checked
  const prepared = await strategy.prepare(write, checked)
  const evaluator = { tx: context.tx, graph, now: context.now, budget }
  const { plan, records } = prepared
  const computed = await computeBefore(evaluator, loaded.schema, plan.before, records)
  return { ...prepared, ...computed, loaded, existing }
}
