import { calculateFields } from '../../../calculations/calculate-fields.ts'
import { StepBudget } from '../../../calculations/evaluation/step-budget.ts'
import { assert, invalidAt } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { FieldPlace } from '../../../schemas/readers-of.ts'
import type { LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Column, TableSchema } from '../../../schemas/table-schema.ts'
import type { WriteTx } from '../../../store.ts'
import type { KeptLinks } from '../../../undo/undo-step.ts'
import type { Field } from '../../field.ts'
import { linkCapabilityOf } from '../../link-of.ts'
import { renewTargets } from '../building/make-links.ts'
import { replaceComputedColumns } from '../columns/replace-column.ts'
import type { SaidReader } from '../derivation/reader-states.ts'
import { Rederivation } from '../derivation/rederivation.ts'
import type { FieldChange } from '../field-change.ts'
import type { FieldContext } from '../field-context.ts'
import { changeSymmetric } from './change-symmetric.ts'
import { renamedChoices } from './choices/choice-edits.ts'
import { followChoiceNames } from './choices/follow-choice-names.ts'
import { cellChangeOf, renameChoices, renamingOf } from './convert-cells.ts'
import { convertOrSchedule } from './convert-pending.ts'
import type { KeptCells, WaysKept } from './converted-pages.ts'

/** What was kept of a field that it is to be again, and of those that follow from it. */
export interface KeptState {
  /** What its cells are to hold; absent where that is what they are converted to. */
  readonly cells?: KeptCells | undefined
  /** The links of its records, where it is to be another link. */
  readonly links?: AsyncIterable<KeptLinks> | Iterable<KeptLinks> | undefined
  /** Other fields, with what these are to say of themselves again. */
  readonly readers: readonly SaidReader[]
}

/** How a conversion goes back to what was there, and what is kept of what is there now. */
interface ConversionWays {
  readonly kept?: KeptState | undefined
  readonly keeps?: WaysKept | undefined
}

/**
 * Makes a field of a table that is held another one, with all that follows from it. Its cells are converted, or they get
 * what was kept of them. Returns the other fields that became others by that, as they were and as they are.
 */
export async function carryOutConversion(
  { undo: _, ...context }: FieldContext,
  graph: SchemaGraph,
  wanted: Field,
  { kept, keeps }: ConversionWays = {},
): Promise<readonly FieldChange[]> {
  const { tx, field, userId, now } = context
  const { id: fieldId, tableId } = field
  const budget = new StepBudget(limits.stepsPerWrite)
  const after = await store(context, graph, { wanted, budget, kept, keeps })
  const payload = { tableId, fieldId }
  tx.emit({ name: 'field.updated', time: now, userId, payload })
  await followChoiceNames(context, graph, payload, renamedChoices(field, after))
  const ends = { before: field, after }
  const changed = await changeSymmetric(context, graph, ends, kept ? 'kept' : 'new')
  const { dirty, changes } = await rederiveReaders(context, graph, [payload, ...changed], kept)
  for (const one of [payload, ...changed]) {
    const place = await graph.find(one.tableId)
    if (!place || !isComputedField(place, one.fieldId)) continue
    dirty.set(one.tableId, new Set([...(dirty.get(one.tableId) ?? []), one.fieldId]))
  }
  await renewTargets(context, graph, tableId, [field, after])
  // A link's cells are converted at once, however many: so are its titles, as far as there are steps for them.
  const atOnce = linkCapabilityOf(after) ? fieldId : undefined
  await calculateFields(context, graph, dirty, { atOnce, budget })
  return changes.filter(({ before }) => before.id !== fieldId)
}

/** Derives the fields that read the changed ones, and those whose earlier definition was kept. */
async function rederiveReaders(
  context: FieldContext,
  graph: SchemaGraph,
  changed: readonly FieldPlace[],
  kept: KeptState | undefined,
) {
  const readers = kept?.readers ?? []
  const rederivation = new Rederivation(context, graph, readers)
  // A field that is back at the other end may have lost what it reads meanwhile.
  const again = kept ? [...changed.slice(1), ...readers] : []
  await rederivation.deriveRestored(again)
  await rederivation.deriveReaders(changed)
  const dirty = new Map(await rederivation.store())
  return { dirty, changes: rederivation.changes }
}

/** What is to become of a field, in so many steps of computing, and what was kept of what it is to be. */
interface Wish extends ConversionWays {
  readonly wanted: Field
  readonly budget: StepBudget
}

function isComputedField({ schema }: LoadedTable, fieldId: string): boolean {
  return schema.byKey.id.get(fieldId)?.computation !== undefined
}

/** Changes the cells, the column and what is stored of the field. Returns it as it is then. */
async function store(
  context: FieldContext,
  graph: SchemaGraph,
  { wanted, budget, kept, keeps }: Wish,
): Promise<Field> {
  const { tx, base, table, schema, field, now, ids } = context
  const before = schema.byKey.id.get(field.id)
  assert(before, 'the field is in its table')
  const known = { kept: kept?.cells, links: kept?.links, keeps }
  const place = { base, schema, before, after: wanted, ...known }
  const own = cellChangeOf(field, wanted)
  const mustMove = kept?.cells !== undefined || keeps?.columnId !== undefined
  const wantedChange = mustMove && own === 'renameChoices' ? 'convert' : own
  const renaming = wantedChange === 'renameChoices' ? await renamingOf(tx, place) : undefined
  const change = wantedChange === 'renameChoices' && !renaming ? 'convert' : wantedChange
  const isRewritten = change === 'convert' || change === 'compute'
  if (field.unique && (isRewritten || !wanted.unique)) await tx.fields.allowRepeats(table, field)
  if (field.notNull && (isRewritten || !wanted.notNull)) await tx.fields.allowEmpty(table, field)
  if (renaming) await renameChoices(tx, place, renaming)
  if (change === 'compute') {
    const replaced = { before: field, after: wanted }
    await replaceComputedColumns(context, { table, schema }, [replaced], keeps?.columnId)
  }
  if (isRewritten) await tx.calculations.remove([field.id])
  const after =
    change === 'convert' ? await convertOrSchedule(context, graph, place, budget) : wanted
  await dropPairs(context, field, after)
  const stored = {
    ...field,
    columnName: field.columnName === null ? after.columnName : field.columnName,
  }
  await tx.fields.update(table, stored, after)
  const changed = await graph.put(await tx.tables.changeSchema(table.id, ids.revision(), now))
  await addConstraints(context, changed, {
    unique: after.unique && (isRewritten || !field.unique),
    notNull: after.notNull && (isRewritten || !field.notNull),
    fieldId: after.id,
  })
  return after
}

/** Forgets the pairs of a link that is none any more, or has them under its own id now. */
async function dropPairs({ tx }: FieldContext, before: Field, after: Field): Promise<void> {
  const [old, now] = [before, after].map((field) => linkCapabilityOf(field)?.endOf(field.options))
  if (old && old.ownerFieldId !== now?.ownerFieldId) await tx.links.drop(old)
}

/** Has the storage refuse what the field no longer takes; validation_error when a record has it already. */
async function addConstraints(
  { tx }: FieldContext,
  { table, schema }: LoadedTable,
  { unique, notNull, fieldId }: { unique: boolean; notNull: boolean; fieldId: string },
): Promise<void> {
  const { field, column } = schema.byKey.id.get(fieldId) ?? {}
  if (!field || !column) return
  if (unique) {
    await requireComparable(tx, schema, column)
    if (await tx.columns.hasRepeats(schema, column)) {
      throw invalidAt(['unique'], 'two records have the same value')
    }
    await tx.fields.refuseRepeats(table, field)
  }
  if (notNull) {
    if (await tx.columns.hasEmpty(schema, column)) {
      throw invalidAt(['notNull'], 'a record has no value')
    }
    await tx.fields.requireValues(table, field)
  }
}

/**
 * Throws validation_error where the values of a column are too long, all together, to be compared in one write.
 * Long ones are sorted, and stored once more in an index, where that holds nobody up but other writers.
 */
async function requireComparable(tx: WriteTx, schema: TableSchema, column: Column): Promise<void> {
  const bytes = await tx.columns.bytesOf(schema, column)
  if (bytes > limits.bytesPerWholeWrite) {
    const most = `must take at most ${limits.bytesPerWholeWrite} bytes together to be unique`
    throw invalidAt(['unique'], `the values of the field ${most}, take ${bytes}`)
  }
  if (bytes > limits.lengthRewrittenAtOnce) tx.becomeLong()
}
