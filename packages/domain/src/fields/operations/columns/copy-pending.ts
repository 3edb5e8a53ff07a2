import { scheduleJob } from '../../../calculations/pending/calculation-job.ts'
import type {
  PendingConversion,
  PendingField,
} from '../../../calculations/pending/calculation-repository.ts'
import { assert } from '../../../errors.ts'
import type { JobContext } from '../../../jobs/job-kind.ts'
import { nextRange } from '../../../records/reading/record-ranges.ts'
import type { NumberRange } from '../../../records/stored/number-range.ts'
import type { LoadedTable } from '../../../schemas/schema-graph.ts'
import { CellSum } from '../../../undo/cell-sum.ts'
import type { Field } from '../../field.ts'
import type { FieldContext } from '../field-context.ts'
import { addColumnToNote, beginCellNote } from './cell-notes.ts'
import { releaseOldest } from './keep-values.ts'

/** Whether a field gets its values from another one, which keeps them. */
export function isCopying({ fieldId, source }: PendingConversion): boolean {
  return source.id !== fieldId
}

/**
 * Has the background fill the copy of a field, which is pending and in its table, from the field. With an id it is noted
 * under that what its cells become.
 */
export async function scheduleCopy(
  context: FieldContext,
  copy: Field,
  noteId?: string,
): Promise<void> {
  const { tx, schema, table, field, userId, now } = context
  const until = await tx.recordScanner.lastNumber(schema)
  const noted = noteId === undefined ? {} : { noteId }
  const conversion = { fieldId: copy.id, source: field, userId, ...noted }
  await tx.calculations.scheduleConversion(conversion, until)
  if (noteId !== undefined) {
    await beginCellNote(context, copy, { id: noteId, until, sum: new CellSum(), byIds: true })
    await releaseOldest(context, table.id)
  }
  await scheduleJob(tx, table.id, now)
  const payload = { tableId: table.id, fieldIds: [copy.id] }
  tx.emit({ name: 'calculation.scheduled', time: now, userId, payload })
}

/**
 * Copies the next values of a field into its copy, as they are by now. Cells of the copy that somebody wrote
 * meanwhile stay as they were written. The table is held for update. Answers how far the copy is; undefined when it
 * is at its end.
 */
export async function copySlice(
  { tx }: JobContext,
  { schema }: LoadedTable,
  { fieldId, source, noteId }: PendingConversion,
  { after, until: end }: PendingField,
): Promise<number | undefined> {
  const from = schema.byKey.id.get(source.id)?.column
  const schemaField = schema.byKey.id.get(fieldId)
  const to = schemaField?.column
  assert(from && to, 'a field that is being copied stays in its table, and so does its copy')
  const next = await nextRange(tx, schema, { after, withDeleted: true })
  const until = Math.min(next?.until ?? end, end)
  const range = { after, until }
  const written = await tx.calculations.written(fieldId, range)
  for (const part of partsBetween(range, written)) {
    await tx.columns.copy(schema, from, to, part)
    if (noteId !== undefined) {
      await addColumnToNote(tx, schema, noteId, { schemaField, range: part })
    }
  }
  return until < end ? until : undefined
}

/** The parts of a range that some of its numbers leave. */
function* partsBetween(
  { after, until }: NumberRange,
  numbers: ReadonlySet<number>,
): Generator<NumberRange> {
  let start = after
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    if (number - 1 > start) yield { after: start, until: number - 1 }
    start = number
  }
  if (until > start) yield { after: start, until }
}
