import type { Base } from '../../../bases/base.ts'
import { scheduleJob } from '../../../calculations/calculation-job.ts'
import type {
  PendingConversion,
  PendingField,
} from '../../../calculations/calculation-repository.ts'
import { toTimestamp } from '../../../clock.ts'
import { assert } from '../../../errors.ts'
import type { JobContext } from '../../../jobs/job-kind.ts'
import { limits } from '../../../limits.ts'
import { isLarge } from '../../../records/is-large.ts'
import type { LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import { toSchemaField } from '../../../schemas/table-schema.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { computationScope } from '../../derivation/formula-field.ts'
import type { Field } from '../../field.ts'
import { dbFieldTypeOf } from '../../field-values.ts'
import { linkAbilityOf } from '../../link-of.ts'
import { rederive } from '../derivation/rederive.ts'
import type { FieldContext } from '../field-context.ts'
import { GrowingChoices, retireSource, storeConverted } from './convert-cells.ts'
import { pageConverter } from './converted-pages.ts'
import { makeColumns } from './replace-column.ts'

/** Whether the background brings the cells of a field into the form that is wanted. */
export async function isLeftToBackground(
  { tx, schema }: FieldContext,
  wanted: Field,
): Promise<boolean> {
  // What is unique or required must be known at once, and so must which record gets a link.
  const isAtOnce = wanted.unique || wanted.notNull || linkAbilityOf(wanted) !== undefined
  return !isAtOnce && (await isLarge(tx, schema))
}

/** Gives a field an empty column, and has the background fill it from the one that it had. */
export async function scheduleConversion(
  { tx, schema, table, field, userId, now }: FieldContext,
  wanted: Field,
): Promise<Field> {
  const before = schema.byKey.id.get(field.id)
  const name = field.columnName ?? wanted.columnName
  assert(before && name !== null, 'a field that is entered is in its table, with a column')
  const retired = await retireSource(tx, table, before)
  await makeColumns(tx, table, [{ name, type: dbFieldTypeOf(wanted) }])
  const source = { ...field, columnName: retired.column?.name ?? null }
  const until = await tx.records.lastNumber(schema)
  await tx.calculations.scheduleConversion({ fieldId: field.id, source, userId }, until)
  await scheduleJob(tx, table.id, now)
  const payload = { tableId: table.id, fieldIds: [field.id] }
  tx.emit({ name: 'calculation.scheduled', time: now, userId, payload })
  return { ...wanted, isPending: true }
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
  const take = limits.recordsPerCalculation
  const page = { after: pending.after, skip: 0, take, withDeleted: true }
  const found = await tx.records.page(schema, page, source ? [source] : [])
  const records = found.records.filter(({ autoNumber }) => autoNumber <= pending.until)
  const isAtEnd = records.length < found.records.length || (!found.isCut && records.length < take)
  const until = isAtEnd ? pending.until : (records.at(-1)?.autoNumber ?? pending.until)
  const range = { after: pending.after, until }
  const written = await tx.calculations.written(was.id, range)
  const choices = new GrowingChoices(field, schema, { ids })
  const filled = await convert(records)
  const cells = filled.flatMap(({ autoNumber, to }) => {
    const cell = to === null || written.has(autoNumber) ? null : choices.take(to)
    return cell === null ? [] : [{ autoNumber, cell }]
  })
  const isAll = cells.length === filled.length
  const converted = { target, source, cells, range, isAll }
  await storeConverted(tx, schema, converted, failures > 0)
  if (choices.field !== field) {
    await keepChoices({ ...context, now: toTimestamp(nowMs), ...reader }, graph, choices.field)
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
