import { assert } from '../../../errors.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { WriteTx } from '../../../store.ts'
import type { UndoLog } from '../../../undo/undo-log.ts'
import type { ConversionStep, FinalStep } from '../../../undo/undo-step.ts'
import type { SelectOptions } from '../../cells/choice.ts'
import type { Field } from '../../field.ts'
import { isConverting } from '../../field-values.ts'
import { linkCapabilityOf } from '../../link-of.ts'
import { digestFields } from '../building/digest-fields.ts'
import { releaseOldest } from '../columns/keep-values.ts'
import { toReaderStates } from '../derivation/reader-states.ts'
import type { FieldContext } from '../field-context.ts'
import { carryOutConversion, type KeptState } from './carry-out-conversion.ts'
import { choiceEdits } from './choices/choice-edits.ts'
import { cellChangeOf } from './convert-cells.ts'
import { keptColumn } from './kept-values/kept-cells.ts'
import { definitionOf } from './kept-values/kept-definition.ts'
import { choicesInFilter } from './kept-values/kept-filter-names.ts'
import { keptLinks } from './kept-values/kept-links.ts'

/** Carries a conversion out, and notes it for who may want to undo it. */
export async function convertAndNote(
  context: FieldContext,
  graph: SchemaGraph,
  wanted: Field,
): Promise<void> {
  const { undo, table } = context
  if (!undo) {
    await carryOutConversion(context, graph, wanted)
    return
  }
  undo.note(await convertWithWayBack(context, graph, wanted, { room: undo }))
  await releaseOldest(context, table.id)
}

/**
 * Carries a conversion out, and answers the step that leads back, as far as there is room for one; else why there is none. What
 * it keeps may be too much for the table, until the caller has let go of the rest.
 */
export async function convertWithWayBack(
  context: FieldContext,
  graph: SchemaGraph,
  wanted: Field,
  { room, kept }: { readonly room: UndoLog; readonly kept?: KeptState },
): Promise<ConversionStep | FinalStep> {
  const { tx, field, ids } = context
  const { id: fieldId, tableId } = field
  const begun = await beginStep(context, graph, wanted, room)
  if ('kind' in begun) {
    await carryOutConversion(context, graph, wanted, { kept })
    return begun
  }
  const { column } = begun
  const columnId = column && 'keptId' in column ? column.keptId : undefined
  const keeps = { columnId, noteId: ids.next('operation') }
  const changes = await carryOutConversion(context, graph, wanted, { kept, keeps })
  const readers = toReaderStates(changes)
  if (readers.length > 0 && !room.takeRoom(readers)) return tooLong(room)
  const { field: now } = (await graph.findField(tableId, fieldId)) ?? {}
  assert(now, 'a field that was converted is there')
  const noted = isConverting(now) ? { noteId: keeps.noteId } : {}
  const others = readers.length > 0 ? { readers } : {}
  const step = { ...begun, ...others, ...noted, held: definitionOf(now) }
  return { kind: 'conversion', ...step, digest: await digestConverted(tx, now, step) }
}

/** A digest of what a field is, and of its cells where these are what a conversion made of them and aren't noted otherwise. */
export function digestConverted(
  tx: WriteTx,
  { tableId, id }: Pick<Field, 'tableId' | 'id'>,
  { readsCells, noteId }: Pick<ConversionStep, 'readsCells' | 'noteId'>,
): Promise<string> {
  const isOfCells = readsCells && noteId === undefined
  const how = { areEmpty: !isOfCells, withOtherEnds: isOfCells }
  return digestFields(tx, { tableId, fieldIds: [id], ...how })
}

/** What is noted of a field that is about to become another one. */
type BegunStep = Pick<
  ConversionStep,
  'fieldId' | 'other' | 'choices' | 'column' | 'links' | 'readsCells'
>

/** What a field is, and what its cells hold, or where that is kept. */
async function beginStep(
  context: FieldContext,
  graph: SchemaGraph,
  wanted: Field,
  room: UndoLog,
): Promise<BegunStep | FinalStep> {
  const { tx, schema, field, ids } = context
  const change = cellChangeOf(field, wanted)
  const other = definitionOf(field)
  if (!room.takeRoom([other, definitionOf(wanted)])) return tooLong(room)
  const choices = await choicesInFilter(graph, other)
  if (choices.length > 0 && !room.takeRoom(choices)) return tooLong(room)
  const named = choices.length > 0 ? { choices } : {}
  const readsCells = change !== 'stay'
  const begun: BegunStep = { fieldId: field.id, other: { ...other }, ...named, readsCells }
  if (change === 'stay' || (change === 'renameChoices' && !editsChoices(field, wanted))) {
    return begun
  }
  if (linkCapabilityOf(field)) {
    const links = await keptLinks(context, room)
    if ('kind' in links) return links
    return room.takeRoom(links) ? { ...begun, links } : tooLong(room)
  }
  const kept = await keptColumn(tx, schema, field, room)
  const until = await tx.recordScanner.lastNumber(schema)
  const column = kept === 'aside' ? { keptId: ids.next('operation'), until } : kept
  return room.takeRoom(column) ? { ...begun, column } : tooLong(room)
}

/** What was said where there was no room for it. */
function tooLong({ steps: [said] }: UndoLog): FinalStep {
  assert(said?.kind === 'final', 'a log says that it has no room any more')
  return said
}

function editsChoices(before: Field, after: Field): boolean {
  return choiceEdits(before.options as SelectOptions, after.options as SelectOptions).size > 0
}
