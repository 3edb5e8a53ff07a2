import type { Base } from '../../../bases/base.ts'
import { StepBudget } from '../../../calculations/evaluation/step-budget.ts'
import { scheduleJob } from '../../../calculations/pending/calculation-job.ts'
import type {
  PendingConversion,
  PendingField,
} from '../../../calculations/pending/calculation-repository.ts'
import { toTimestamp } from '../../../clock.ts'
import { assert, type DomainError, invalidAt } from '../../../errors.ts'
import type { JobContext } from '../../../jobs/job-kind.ts'
import { limits } from '../../../limits.ts'
import { RecordPages } from '../../../records/background/record-pages.ts'
import { workOnPages } from '../../../records/background/work-on-pages.ts'
import { addOrAwait } from '../../../records/background/writes-under-way.ts'
import { recordRanges } from '../../../records/reading/record-ranges.ts'
import { isLarge } from '../../../records/stored/is-large.ts'
import type { LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import { type SchemaField, toSchemaField } from '../../../schemas/table-schema.ts'
import { waitForAll } from '../../../structures/wait-for-all.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { CellSum } from '../../../undo/cell-sum.ts'
import { computationScope } from '../../derivation/formula-field.ts'
import type { Field } from '../../field.ts'
import { dbFieldTypeOf } from '../../field-values.ts'
import { linkCapabilityOf } from '../../link-of.ts'
import { addToCellNote, beginCellNote, sumOfColumn } from '../columns/cell-notes.ts'
import { scheduleEmptying } from '../columns/empty-columns.ts'
import { releaseValues } from '../columns/keep-values.ts'
import { makeColumns } from '../columns/replace-column.ts'
import { rederive } from '../derivation/rederive.ts'
import type { FieldContext } from '../field-context.ts'
import { bytesOfWholeWrite } from '../whole-write.ts'
import { convertCells, GrowingChoices, retireSource, storeConverted } from './convert-cells.ts'
import { type ConversionPlace, pageConverter, partsConverted } from './converted-pages.ts'
import { cellsInColumn } from './kept-values/kept-cells.ts'

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
  // What a step keeps is all put back; what is unique or required must be known at once, and so must which record gets a link.
  const isInStep = kept !== undefined && !kept.inColumn
  if (isInStep || wanted.unique || wanted.notNull || linkCapabilityOf(wanted)) {
    const whole = new StepBudget(limits.stepsPerWholeWrite)
    let total = 0
    for await (const { bytes } of recordRanges(context.tx, schema)) {
      whole.spend(bytes)
      total += bytes
      if (whole.isSpent || total > limits.bytesPerWholeWrite) throw tooMuch(wanted)
    }
    const converted = await convertCells(context, graph, place, whole)
    if (converted.reached !== undefined) throw tooMuch(wanted)
    return endConversion(context, place, converted.after)
  }
  if (await isLarge(context.tx, schema)) return scheduleConversion(context, place)
  const { after, source, target, reached } = await convertCells(context, graph, place, budget)
  if (reached === undefined) return endConversion(context, place, after)
  const made = { ...target, index: schema.columns.length }
  const sum = () => sumOfColumn(context.tx, schema, made, { after: 0, until: reached })
  await scheduleFrom(context, place, source, { after: reached, sum })
  return { ...after, isPending: true }
}

/** Forgets the values that the field has again by now. */
async function endConversion(
  context: FieldContext,
  { kept }: ConversionPlace,
  after: Field,
): Promise<Field> {
  const id = kept?.inColumn?.id
  const back = id === undefined ? undefined : await context.tx.keptValues.find(id)
  if (back) await releaseValues(context, [back])
  return after
}

function tooMuch(wanted: Field): DomainError {
  const tooMany = 'the table has too many or too long records to be converted in one write'
  const message = `${tooMany}, ${bytesOfWholeWrite()}`
  if (!wanted.unique && !wanted.notNull && !linkCapabilityOf(wanted))
    return invalidAt(['type'], message)
  if (linkCapabilityOf(wanted))
    return invalidAt(['type'], `${message}, and a conversion to a link is always one write`)
  const rule = wanted.unique ? 'unique' : 'notNull'
  return invalidAt([rule], `${message}: convert the field first, and set ${rule} afterwards`)
}

/** Gives a field an empty column, and has the background fill it from the one that it had. */
async function scheduleConversion(context: FieldContext, place: ConversionPlace): Promise<Field> {
  const { tx, table, field } = context
  const { after: wanted } = place
  const name = field.columnName ?? wanted.columnName
  assert(name !== null, 'a field that is entered has a column')
  const { source } = await retireSource(context, table, place)
  await makeColumns(tx, table, [{ name, type: dbFieldTypeOf(wanted) }])
  await scheduleFrom(context, place, source, { after: 0, sum: async () => new CellSum() })
  return { ...wanted, isPending: true }
}

/** How far a conversion is: records up to this number are done, and what the sum of their cells is. */
interface Beginning {
  readonly after: number
  readonly sum: () => Promise<CellSum>
}

/** Has the background go on with a conversion, the values being in the column of the source. */
async function scheduleFrom(
  context: FieldContext,
  { kept, keeps }: ConversionPlace,
  { column }: SchemaField,
  { after, sum }: Beginning,
): Promise<void> {
  const { tx, schema, table, field, userId, now } = context
  const source = { ...field, columnName: column?.name ?? null }
  const until = await tx.recordScanner.lastNumber(schema)
  const conversion: PendingConversion = {
    ...{ fieldId: field.id, source, userId },
    ...(keeps?.columnId !== undefined && { keepsSource: true }),
    ...(keeps && { noteId: keeps.noteId }),
    ...(kept?.inColumn && { kept: kept.inColumn }),
  }
  await tx.calculations.scheduleConversion(conversion, until)
  if (keeps) await beginCellNote(context, field, { id: keeps.noteId, until, sum: await sum() })
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
  const { source: was, userId, keepsSource = false, noteId, kept: inColumn } = conversion
  const { field, column: target } = schema.byKey.id.get(was.id) ?? {}
  assert(field && target, 'a field that is being converted is in its table, with a column')
  const scope = computationScope(new Map([[was.id, was]]))
  const before = toSchemaField(was, scope, schema.columns.length)
  const { column: source } = before
  const kept = inColumn && cellsInColumn(schema, inColumn)
  const columns = [source, kept?.column].filter((column) => column !== undefined)
  const emptied = keepsSource ? undefined : source
  const reader = { tx, actor: { kind: 'user', userId } as const, userId }
  const convert = await pageConverter(reader, graph, { base, schema, before, after: field, kept })
  const { after, until: end } = pending
  const choices = new GrowingChoices(field, schema, { ids })
  const parts = partsConverted(before)
  const pages = new RecordPages(tx, schema, { until: end, withDeleted: true, columns, parts })
  const { reached: until } = await workOnPages(context, pages, after, async (page) => {
    const { records, bytesPerRecord, writes } = page
    const range = { after: page.after, until: page.reached }
    // Asked while the cells are made: it may have to wait for what is written of the page before.
    const [written, filled] = await waitForAll([
      tx.calculations.written(was.id, range),
      convert(records),
    ])
    const unwritten = filled.filter(({ autoNumber }) => !written.has(autoNumber))
    const cells = await choices.takeAll(tx, unwritten)
    const areAllTaken = cells.length === filled.length && cells.every(({ cell }) => cell !== null)
    const isAll = !was.hasError && areAllTaken
    const converted = { target, source: emptied, cells, range, isAll, bytesPerRecord }
    await addOrAwait(writes, storeConverted(tx, schema, converted, failures > 0))
    if (noteId !== undefined) await addToCellNote(tx, schema, noteId, { cells, range })
    // The field must be stored with the choices of its cells.
    return choices.field === field
  })
  if (choices.field !== field) {
    const now = toTimestamp(nowMs)
    await keepChoices({ ...context, now, publicUrl: undefined, ...reader }, graph, choices.field)
  }
  if (until < pending.until) return until
  if (emptied) await tx.fields.noteEmptied(table.id, [emptied.name], undefined)
  const now = toTimestamp(nowMs)
  const back = inColumn && (await tx.keptValues.find(inColumn.id))
  if (back) await releaseValues({ tx, now }, [back])
  // What it needed until now may be kept for nobody any more.
  if (keepsSource || inColumn) await scheduleEmptying(tx, table.id, now)
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
