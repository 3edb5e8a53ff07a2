import { assert } from '../../errors.ts'
import type { Cell } from '../../fields/cell.ts'
import { carryOutConversion } from '../../fields/operations/conversion/carry-out-conversion.ts'
import {
  asSent,
  definitionOf,
  hasChoicesOf,
  type KeptDefinition,
} from '../../fields/operations/conversion/kept-definition.ts'
import { keptColumn } from '../../fields/operations/conversion/note-conversion.ts'
import { toConvertedField } from '../../fields/operations/conversion/to-converted-field.ts'
import { digestFields } from '../../fields/operations/digest-fields.ts'
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
  const { fieldId, column, readsCells } = step
  const [held, other] = [step.held, step.other] as unknown as readonly KeptDefinition[]
  assert(held && other, 'a step has both')
  const schema = await tx.fields.schemaOf(table)
  const field = schema.byKey.id.get(fieldId)?.field
  if (!field) throw movedOn(`The field "${held.name}"`)
  requireSettled(field)
  await requireCopied(tx, [field], 'convert it')
  const digested = { tableId: table.id, fieldIds: [fieldId], areEmpty: !readsCells }
  const isAsLeft = hasChoicesOf(field, held) && (await digestFields(tx, digested)) === step.digest
  if (!isAsLeft) throw movedOn(`The field "${field.name}", or what its cells hold,`)
  if (await hasManyRecords(tx, schema)) tx.becomeLong()
  const graph = new SchemaGraph(tx, 'update')
  await graph.put(table)
  const room = new UndoLog()
  const left = column && (await keptColumn(tx, schema, field, room))
  const inField = { ...context, schema, field }
  const wanted = await toConvertedField(inField, graph, asSent(other))
  const cells = column?.cells as readonly (readonly [string, Cell])[] | undefined
  const kept = column && { byRecord: new Map(cells), until: column.until }
  if (cells) await requireFiles(context, other, cells)
  await carryOutConversion(inField, graph, wanted, kept)
  const [tooLong] = room.steps
  if (tooLong?.kind === 'final') return tooLong
  return {
    ...step,
    held: { ...other },
    other: definitionOf(field),
    ...(left && { column: left }),
    digest: await digestFields(tx, digested),
  }
}
