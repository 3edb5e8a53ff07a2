import { assert } from '../../../../errors.ts'
import type { SchemaGraph } from '../../../../schemas/schema-graph.ts'
import type { WriteTx } from '../../../../store.ts'
import type { UndoLog } from '../../../../undo/undo-log.ts'
import type { ConversionStep, FinalStep, KeptLinks } from '../../../../undo/undo-step.ts'
import type { SelectOptions } from '../../../cells/choice.ts'
import type { Field } from '../../../field.ts'
import { isConverting } from '../../../field-values.ts'
import { linkAbilityOf } from '../../../link-of.ts'
import { toReaderStates } from '../../derivation/reader-states.ts'
import { digestFields } from '../../digest-fields.ts'
import type { FieldContext } from '../../field-context.ts'
import { carryOutConversion, type KeptState } from '../carry-out-conversion.ts'
import { choiceEdits } from '../choice-edits.ts'
import { cellChangeOf } from '../convert-cells.ts'
import { keptColumn } from './kept-cells.ts'
import { definitionOf } from './kept-definition.ts'
import { linksOfAll } from './kept-links.ts'

/** Carries a conversion out, and notes it for who may want to undo it. */
export async function convertAndNote(
  context: FieldContext,
  graph: SchemaGraph,
  wanted: Field,
): Promise<void> {
  const { undo } = context
  if (undo) undo.note(await convertWithWayBack(context, graph, wanted, { room: undo }))
  else await carryOutConversion(context, graph, wanted)
}

/** Carries a conversion out, and answers the step that leads back, as far as there is room for one; else why there is none. */
export async function convertWithWayBack(
  context: FieldContext,
  graph: SchemaGraph,
  wanted: Field,
  { room, kept }: { readonly room: UndoLog; readonly kept?: KeptState },
): Promise<ConversionStep | FinalStep> {
  const { tx, field } = context
  const begun = await beginStep(context, wanted, room)
  const changes = await carryOutConversion(context, graph, wanted, kept)
  if ('kind' in begun) return begun
  const readers = toReaderStates(changes)
  if (readers.length > 0 && !room.takeRoom(readers)) return tooLong(room)
  const { id: fieldId, tableId } = field
  const { field: now } = (await graph.findField(tableId, fieldId)) ?? {}
  assert(now, 'a field that was converted is there')
  if (isConverting(now)) {
    return { kind: 'final', reason: 'The values of the field were still being converted' }
  }
  const { readsCells } = begun
  const digest = await digestConverted(tx, now, readsCells)
  const others = readers.length > 0 ? { readers } : {}
  return { kind: 'conversion', ...begun, ...others, held: definitionOf(now), digest }
}

/** A digest of what a field is, and of its cells where these are what a conversion made of them. */
export function digestConverted(
  tx: WriteTx,
  { tableId, id }: Pick<Field, 'tableId' | 'id'>,
  readsCells: boolean,
): Promise<string> {
  const how = { areEmpty: !readsCells, withOtherEnds: readsCells }
  return digestFields(tx, { tableId, fieldIds: [id], ...how })
}

/** What is noted of a field that is about to become another one. */
type BegunStep = Pick<ConversionStep, 'fieldId' | 'other' | 'column' | 'links' | 'readsCells'>

/** What a field is, and what its cells hold, as far as there is room for that. */
async function beginStep(
  { tx, schema, field }: FieldContext,
  wanted: Field,
  room: UndoLog,
): Promise<BegunStep | FinalStep> {
  const change = cellChangeOf(field, wanted)
  const other = definitionOf(field)
  if (!room.takeRoom([other, definitionOf(wanted)])) return tooLong(room)
  const begun = { fieldId: field.id, other: { ...other }, readsCells: change !== 'stay' }
  if (change === 'stay' || (change === 'renameChoices' && !editsChoices(field, wanted))) {
    return begun
  }
  if (linkAbilityOf(field)) {
    const links = await keptLinks(linksOfAll(tx, schema, field), room)
    return links ? { ...begun, links } : tooLong(room)
  }
  const column = await keptColumn(tx, schema, field, room)
  return column ? { ...begun, column } : tooLong(room)
}

/** What was said where there was no room for it. */
function tooLong({ steps: [said] }: UndoLog): FinalStep {
  assert(said?.kind === 'final', 'a log says that it has no room any more')
  return said
}

/** All of the links; undefined where there is no room for them. */
async function keptLinks(
  all: AsyncIterable<KeptLinks>,
  room: UndoLog,
): Promise<readonly KeptLinks[] | undefined> {
  const kept: KeptLinks[] = []
  for await (const one of all) {
    if (!room.takeRoom(one)) return undefined
    kept.push(one)
  }
  return kept
}

function editsChoices(before: Field, after: Field): boolean {
  return choiceEdits(before.options as SelectOptions, after.options as SelectOptions).size > 0
}
