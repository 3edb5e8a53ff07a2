import { assert } from '../../errors.ts'
import { areAsNoted } from '../../fields/operations/columns/cell-notes.ts'
import { releaseOldest, releaseValues } from '../../fields/operations/columns/keep-values.ts'
import { makesChoicesOfCells } from '../../fields/operations/conversion/choices/choice-edits.ts'
import type { KeptCells } from '../../fields/operations/conversion/converted-pages.ts'
import {
  cellsAside,
  cellsOfColumn,
} from '../../fields/operations/conversion/kept-values/kept-cells.ts'
import {
  hasChoicesOf,
  type KeptDefinition,
} from '../../fields/operations/conversion/kept-values/kept-definition.ts'
import { withNamesOfToday } from '../../fields/operations/conversion/kept-values/kept-filter-names.ts'
import { linksAside } from '../../fields/operations/conversion/kept-values/kept-links.ts'
import {
  convertWithWayBack,
  digestConverted,
} from '../../fields/operations/conversion/note-conversion.ts'
import { toKeptField } from '../../fields/operations/conversion/to-kept-field.ts'
import { toSaidReaders } from '../../fields/operations/derivation/reader-states.ts'
import type { FieldContext } from '../../fields/operations/field-context.ts'
import { requireCopied, requireSettled } from '../../fields/operations/require-converted.ts'
import { hasManyRecords } from '../../records/reading/has-many-records.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import { UndoLog } from '../undo-log.ts'
import type { ConversionStep, FinalStep } from '../undo-step.ts'
import { movedOn } from './moved-on.ts'
import { requireFiles } from './require-files.ts'
import { requireAction, type UndoContext } from './undo-context.ts'

/**
 * Makes a field what it was before it was converted, with the values that it had, or what it was converted to. Returns
 * the step as it is then: one that leads back, unless the values take too much room for that.
 */
export async function applyConversion(
  context: UndoContext,
  step: ConversionStep,
): Promise<ConversionStep | FinalStep> {
  requireAction(context, 'field|update')
  const { tx, table } = context
  const { fieldId, readers = [], choices = [] } = step
  const [held, before] = [step.held, step.other] as unknown as readonly KeptDefinition[]
  assert(held && before, 'a step has both')
  const schema = await tx.fields.schemaOf(table)
  const schemaField = schema.byKey.id.get(fieldId)
  if (!schemaField) throw movedOn(`The field "${held.name}"`)
  const { field } = schemaField
  requireSettled(field)
  await requireCopied(tx, [field], 'convert it')
  if (await hasManyRecords(tx, schema)) tx.becomeLong()
  await requireAsLeft(tx, schema, schemaField, step)
  const graph = new SchemaGraph(tx, 'update')
  await graph.put(table)
  const inField = { ...context, schema, field }
  const other = await withNamesOfToday(graph, before, choices)
  const wanted = await toKeptField(inField, graph, other)
  if (makesChoicesOfCells(field, wanted)) requireAction(context, 'record|read')
  // Titles may come from the field at the other end, which comes back with it.
  const itself = { tableId: table.id, fieldId, said: { options: other.options } }
  const kept = {
    cells: await keptCells(inField, step, other),
    links: step.links && ('keptId' in step.links ? linksAside(tx, step.links) : step.links),
    readers: [itself, ...(await toSaidReaders(graph, readers))],
  }
  const back = await convertWithWayBack(inField, graph, wanted, { room: new UndoLog(), kept })
  const used = step.links && 'keptId' in step.links && (await tx.keptValues.find(step.links.keptId))
  if (used) await releaseValues(context, [used])
  await releaseOldest(context, table.id)
  return back
}

/** Refuses a field that isn't what it was converted to, or into whose cells somebody wrote since, as far as that is known. */
async function requireAsLeft(
  tx: UndoContext['tx'],
  schema: TableSchema,
  schemaField: SchemaField,
  step: ConversionStep,
): Promise<void> {
  const { field } = schemaField
  const { noteId } = step
  // Those that a lookup shows are another field's.
  const isSame =
    (field.isLookup || hasChoicesOf(field, step.held as unknown as KeptDefinition)) &&
    (await digestConverted(tx, field, step)) === step.digest
  const isAsLeft =
    isSame && (noteId === undefined || (await areAsNoted(tx, schema, schemaField, noteId)))
  if (!isAsLeft) throw movedOn(`The field "${field.name}", or what its cells hold,`)
}

/** What the cells are to hold, where that is kept; files of them are there again. */
async function keptCells(
  context: UndoContext & FieldContext,
  { column, spaceId }: ConversionStep,
  other: KeptDefinition,
): Promise<KeptCells | undefined> {
  if (!column) return undefined
  const { tx, schema, field } = context
  const cells =
    'keptId' in column
      ? await cellsAside(tx, schema, { field, definition: other }, column)
      : cellsOfColumn(column)
  await requireFiles(context, other, cells, spaceId)
  return cells
}
