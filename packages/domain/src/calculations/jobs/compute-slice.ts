import { toTimestamp } from '../../clock.ts'
import type { JobContext } from '../../jobs/job-kind.ts'
import { limits } from '../../limits.ts'
import { RecordPages } from '../../records/background/record-pages.ts'
import { workOnPages } from '../../records/background/work-on-pages.ts'
import type { RecordParts } from '../../records/reading/record-scanner.ts'
import type { LoadedTable, SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import { calculateRecords, columnsRead, partsRead } from '../calculate-records.ts'
import { StepBudget } from '../evaluation/step-budget.ts'
import type { PendingField } from '../pending/calculation-repository.ts'
import type { Stage } from '../stages/plan-stages.ts'

/** A pending field that waits for no other one. */
export interface ReadyField {
  readonly schemaField: SchemaField
  readonly pending: PendingField
}

/** Fields that go on together, and the records that they go on with. */
interface Slice extends Pick<PendingField, 'after' | 'until'> {
  readonly ready: readonly ReadyField[]
}

/**
 * The fields that are furthest behind, up to where the next ones are or where the first of them is done:
 * what they depend on among the others is ahead of them.
 */
function nextSlice(ready: readonly ReadyField[], lastNumber: number): Slice {
  const after = Math.min(...ready.map(({ pending }) => pending.after))
  const behind = ready.filter(({ pending }) => pending.after === after)
  // Records that were added while the fields waited have read what was not ready yet.
  const ends = behind.map(({ pending }) => (after === 0 ? lastNumber : pending.until))
  const ahead = ready.map(({ pending }) => pending.after).filter((number) => number > after)
  return { ready: behind, after, until: Math.min(...ends, ...ahead) }
}

/**
 * Goes on with the fields that are furthest behind, for as long as the transaction may, and notes how far they are. Answers the
 * ids of those that are done.
 */
export async function computeSlice(
  context: JobContext,
  graph: SchemaGraph,
  { schema }: LoadedTable,
  ready: readonly ReadyField[],
): Promise<readonly string[]> {
  const { tx } = context
  const lastNumber = await tx.recordScanner.lastNumber(schema)
  const slice = nextSlice(ready, lastNumber)
  const { reached, fields } = await computePages(context, graph, schema, slice)
  const worked = new Set(fields)
  const advanced = slice.ready.filter(({ schemaField }) => worked.has(schemaField))
  const endOf = ({ pending }: ReadyField) => (slice.after === 0 ? lastNumber : pending.until)
  for (const [end, ofEnd] of Map.groupBy(advanced, endOf)) {
    if (reached >= end) continue
    await tx.calculations.advance(toIds(ofEnd), { after: reached, until: end })
  }
  return toIds(advanced.filter((one) => reached >= endOf(one)))
}

function toIds(fields: readonly ReadyField[]): readonly string[] {
  return fields.map(({ pending }) => pending.fieldId)
}

/** How far the fields of a slice came, and which of them. */
interface Reached {
  readonly reached: number
  readonly fields: readonly SchemaField[]
}

/** Computes a slice page by page. */
async function computePages(
  context: JobContext,
  graph: SchemaGraph,
  schema: TableSchema,
  { ready, after, until }: Slice,
): Promise<Reached> {
  const { tx, nowMs, failures } = context
  const fields = ready.map(({ schemaField }) => schemaField)
  const evaluator = { tx, now: toTimestamp(nowMs), sourceLength: limits.recordsLengthInOneTurn }
  const stage = { schema, fields }
  const read = {
    until,
    lock: 'update',
    columns: columnsRead(stage),
    parts: partsOf(stage),
  } as const
  let came: Reached = { reached: after, fields }
  await workOnPages(context, new RecordPages(tx, schema, read), after, async (page) => {
    const { records, bytesPerRecord, reached, writes } = page
    const { rowCount, fields: worked } = await calculateRecords(evaluator, graph, stage, {
      records,
      isDirtyLink: () => true,
      budget: new StepBudget(limits.stepsPerCalculation),
      mayLeaveOut: failures > 0,
      bytesPerRecord,
      writes,
    })
    const isAllOfThem = rowCount === records.length
    const areAllFields = worked.length === fields.length
    // Of a record that is too much for one transaction some fields are computed, where it is the first.
    if (areAllFields || page.after === after) {
      const last = isAllOfThem ? reached : records[rowCount - 1]?.autoNumber
      came = { reached: last ?? reached, fields: worked }
    }
    return isAllOfThem && areAllFields
  })
  return came
}

/** What is read of records beside cells. */
function partsOf(stage: Pick<Stage, 'schema' | 'fields'>): RecordParts {
  const parts = partsRead(stage)
  // Pairs of links are found by the ids of records.
  const isLinking = stage.fields.some(({ link }) => link)
  return parts === 'keys' && !isLinking ? 'numbers' : parts
}
