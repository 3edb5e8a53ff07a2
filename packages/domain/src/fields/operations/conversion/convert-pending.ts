import type { Base } from '../../../bases/base.ts'
import { scheduleJob } from '../../../calculations/calculation-job.ts'
import type {
  PendingConversion,
  PendingField,
} from '../../../calculations/calculation-repository.ts'
import { StepBudget } from '../../../calculations/step-budget.ts'
import { toTimestamp } from '../../../clock.ts'
import { assert, type DomainError, invalidAt } from '../../../errors.ts'
import type { JobContext } from '../../../jobs/job-kind.ts'
import { limits } from '../../../limits.ts'
import { isLarge } from '../../../records/is-large.ts'
import { nextRange, recordRanges, stepThrough } from '../../../records/record-ranges.ts'
import type { LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import { type SchemaField, toSchemaField } from '../../../schemas/table-schema.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { computationScope } from '../../derivation/formula-field.ts'
import type { Field } from '../../field.ts'
import { dbFieldTypeOf } from '../../field-values.ts'
import { linkAbilityOf } from '../../link-of.ts'
import { rederive } from '../derivation/rederive.ts'
import type { FieldContext } from '../field-context.ts'
import { bytesOfWholeWrite } from '../whole-write.ts'
import { convertCells, GrowingChoices, retireSource, storeConverted } from './convert-cells.ts'
import { type ConversionPlace, pageConverter } from './converted-pages.ts'
import { makeColumns } from './replace-column.ts'

/**
 * Brings the cells of a field into the form that is wanted. Where they are many or long, the background goes
 * on with it, and the field that is returned is pending; its choices are those that were found so far. Throws
 * validation_error where it must be one write and would take too many steps.
 */
export async function convertOrSchedule(
  context: FieldContext,
  graph: SchemaGraph,
  place: ConversionPlace,
  budget: StepBudget,
): Promise<Field> {
  const { after: wanted, schema, kept } = place
  // What is kept is all put back; what is unique or required must be known at once, and so must which record gets a link.
  if (kept || wanted.unique || wanted.notNull || linkAbilityOf(wanted)) {
    const whole = new StepBudget(limits.stepsPerWholeWrite)
    let total = 0
    for await (const { bytes } of recordRanges(context.tx, schema)) {
      whole.spend(bytes)
      total += bytes
      if (whole.isSpent || total > limits.bytesPerWholeWrite) throw tooMuch(wanted)
    }
    const converted = await convertCells(context, graph, place, whole)
    if (converted.reached !== undefined) throw tooMuch(wanted)
    return converted.after
  }
  if (await isLarge(context.tx, schema)) return scheduleConversion(context, wanted)
  const { after, source, reached } = await convertCells(context, graph, place, budget)
  if (reached === undefined) return after
  await scheduleFrom(context, source, reached)
  return { ...after, isPending: true }
}

function tooMuch(wanted: Field): DomainError {
  const tooMany = 'the table has too many or too long records to be converted in one write'
  const message = `${tooMany}, ${bytesOfWholeWrite()}`
  if (!wanted.unique && !wanted.notNull && !linkAbilityOf(wanted))
    return invalidAt(['type'], message)
  if (linkAbilityOf(wanted))
    return invalidAt(['type'], `${message}, and a conversion to a link is always one write`)
  const rule = wanted.unique ? 'unique' : 'notNull'
  return invalidAt([rule], `${message}: convert the field first, and set ${rule} afterwards`)
}

/** Gives a field an empty column, and has the background fill it from the one that it had. */
async function scheduleConversion(context: FieldContext, wanted: Field): Promise<Field> {
  const { tx, schema, table, field } = context
  const before = schema.byKey.id.get(field.id)
  const name = field.columnName ?? wanted.columnName
  assert(before && name !== null, 'a field that is entered is in its table, with a column')
  const retired = await retireSource(tx, table, before)
  await makeColumns(tx, table, [{ name, type: dbFieldTypeOf(wanted) }])
  await scheduleFrom(context, retired, 0)
  return { ...wanted, isPending: true }
}

/** Has the background convert the records after the number, their values being in the column of the source. */
async function scheduleFrom(
  { tx, schema, table, field, userId, now }: FieldContext,
  { column }: SchemaField,
  after: number,
): Promise<void> {
  const source = { ...field, columnName: column?.name ?? null }
  const until = await tx.recordScanner.lastNumber(schema)
  await tx.calculations.scheduleConversion({ fieldId: field.id, source, userId }, until)
  if (after > 0) await tx.calculations.advance([field.id], { after, until })
  await scheduleJob(tx, table.id, now)
  const payload = { tableId: table.id, fieldIds: [field.id] }
  tx.emit({ name: 'calculation.scheduled', time: now, userId, payload })
}

/**
 * Brings the next cells of a field that is being converted into the form that it has by now. Cells that
 * somebody wrote meanwhile stay as they were written. The table is held for update. Answers how far the
 * conversion is; undefined when it is at its end.
 */
export async function convertSlice(
  context: JobContext,
  graph: SchemaGraph,
  { base, table, schema }: LoadedTable & { readonly base: Base },
  conversion: PendingConversion,
  pending: PendingField,
): Promise<number | undefined> {
  const { tx, ids, nowMs, failures } = context
  const { source: was, userId } = conversion
  const { field, column: target } = schema.byKey.id.get(was.id) ?? {}
  assert(field && target, 'a field that is being converted is in its table, with a column')
  const scope = computationScope(new Map([[was.id, was]]))
  const before = toSchemaField(was, scope, schema.columns.length)
  const { column: source } = before
  const reader = { tx, actor: { kind: 'user', userId } as const, userId }
  const convert = await pageConverter(reader, graph, { base, schema, before, after: field })
  const { after: done, until: end } = pending
  const next = await nextRange(tx, schema, { after: done, withDeleted: true })
  const page = { ...stepThrough(next), after: done, withDeleted: true }
  const found = await tx.recordScanner.next(schema, page, source ? [source] : [])
  const records = found.records.filter(({ autoNumber }) => autoNumber <= end)
  const isLastPage = !found.isCut && (next?.isLast ?? true)
  const isAtEnd = isLastPage || records.length < found.records.length
  const until = isAtEnd ? end : (records.at(-1)?.autoNumber ?? end)
  const range = { after: pending.after, until }
  const written = await tx.calculations.written(was.id, range)
  const choices = new GrowingChoices(field, schema, { ids })
  const filled = await convert(records)
  const unwritten = filled.filter(({ autoNumber }) => !written.has(autoNumber))
  const cells = await choices.takeAll(tx, unwritten)
  const isAll = cells.length === filled.length && cells.every(({ cell }) => cell !== null)
  const converted = { target, source, cells, range, isAll }
  await storeConverted(tx, schema, converted, failures > 0)
  if (choices.field !== field) {
    const now = toTimestamp(nowMs)
    await keepChoices({ ...context, now, publicUrl: undefined, ...reader }, graph, choices.field)
  }
  if (until < pending.until) return until
  if (source) await tx.fields.noteEmptied(table.id, [source.name], undefined)
  return undefined
}

/** Stores the field with choices that were found in its cells; what looks it up has them, too. */
async function keepChoices(context: TableContext, graph: SchemaGraph, after: Field): Promise<void> {
  const { tx, now, userId, ids } = context
  const { id: fieldId, tableId } = after
  const { table } = await graph.get(tableId)
  const before = (await graph.findField(tableId, fieldId))?.field
  assert(before, 'the field is in its table')
  await tx.fields.update(table, before, after)
  await graph.put(await tx.tables.changeSchema(tableId, ids.revision(), now))
  tx.emit({ name: 'field.updated', time: now, userId, payload: { tableId, fieldId } })
  await rederive(context, graph, [{ tableId, fieldId }])
}
