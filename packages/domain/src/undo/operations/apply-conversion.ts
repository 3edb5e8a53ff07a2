import { assert } from '../../errors.ts'
import type { Cell } from '../../fields/cell.ts'
import { cellsOfColumn } from '../../fields/operations/conversion/way-back/kept-cells.ts'
import {
  hasChoicesOf,
  type KeptDefinition,
} from '../../fields/operations/conversion/way-back/kept-definition.ts'
import {
  convertWithWayBack,
  digestConverted,
} from '../../fields/operations/conversion/way-back/note-conversion.ts'
import { toKeptField } from '../../fields/operations/conversion/way-back/to-kept-field.ts'
import { toSaidReaders } from '../../fields/operations/derivation/reader-states.ts'
import { requireCopied, requireSettled } from '../../fields/operations/require-converted.ts'
import { hasManyRecords } from '../../records/has-many-records.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
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
  const { fieldId, column, links, readers = [], readsCells } = step
  const [held, other] = [step.held, step.other] as unknown as readonly KeptDefinition[]
  assert(held && other, 'a step has both')
  const schema = await tx.fields.schemaOf(table)
  const field = schema.byKey.id.get(fieldId)?.field
  if (!field) throw movedOn(`The field "${held.name}"`)
  requireSettled(field)
  await requireCopied(tx, [field], 'convert it')
  const isAsLeft =
    hasChoicesOf(field, held) && (await digestConverted(tx, field, readsCells)) === step.digest
  if (!isAsLeft) throw movedOn(`The field "${field.name}", or what its cells hold,`)
  if (await hasManyRecords(tx, schema)) tx.becomeLong()
  const graph = new SchemaGraph(tx, 'update')
  await graph.put(table)
  const inField = { ...context, schema, field }
  const wanted = await toKeptField(inField, graph, other)
  if (column) {
    await requireFiles(context, other, column.cells as readonly (readonly [string, Cell])[])
  }
  // Titles may come from the field at the other end, which comes back with it.
  const itself = { tableId: table.id, fieldId, said: { options: other.options } }
  const kept = {
    cells: column && cellsOfColumn(column),
    links,
    readers: [itself, ...(await toSaidReaders(graph, readers))],
  }
  return convertWithWayBack(inField, graph, wanted, { room: new UndoLog(), kept })
}
