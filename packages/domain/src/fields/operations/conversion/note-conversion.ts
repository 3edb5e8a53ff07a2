import { cellOf } from '../../../records/cell-of.ts'
import { scanRecords } from '../../../records/scan-records.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import type { WriteTx } from '../../../store.ts'
import type { Table } from '../../../tables/table.ts'
import type { UndoLog } from '../../../undo/undo-log.ts'
import type { ConversionStep, KeptColumn } from '../../../undo/undo-step.ts'
import type { SelectOptions } from '../../cells/choice.ts'
import type { Field } from '../../field.ts'
import { isComputed, isConverting } from '../../field-values.ts'
import { linkAbilityOf, symmetricOf } from '../../link-of.ts'
import { digestFields } from '../digest-fields.ts'
import { choiceEdits } from './choice-edits.ts'
import { cellChangeOf } from './convert-cells.ts'
import { definitionOf } from './kept-definition.ts'

/** What is noted of a field that is about to become another one. */
export interface BegunNote extends Pick<ConversionStep, 'fieldId' | 'other' | 'column'> {
  readonly readsCells: boolean
}

/** Where a conversion is noted. */
interface NotePlace {
  readonly tx: WriteTx
  readonly undo: UndoLog
}

/** Notes what a field is, and what its cells hold, where there is a way back; else why there is none. */
export async function beginNote(
  { tx, undo, schema, field }: NotePlace & { readonly schema: TableSchema; readonly field: Field },
  wanted: Field,
): Promise<BegunNote | undefined> {
  const reason = whyFinal(field, wanted)
  if (reason !== undefined) {
    undo.noteFinal(reason)
    return undefined
  }
  const change = cellChangeOf(field, wanted)
  const other = definitionOf(field)
  if (!undo.takeRoom([other, definitionOf(wanted)])) return undefined
  const note = { fieldId: field.id, other, readsCells: change !== 'stay' }
  if (change === 'stay' || (change === 'renameChoices' && !editsChoices(field, wanted))) return note
  const column = await keptColumn(tx, schema, field, undo)
  return column && { ...note, column }
}

/** Notes that the field is the other one by now. */
export async function endNote(
  { tx, undo, table: { id: tableId } }: NotePlace & { readonly table: Pick<Table, 'id'> },
  { readsCells, ...begun }: BegunNote,
): Promise<void> {
  const { fieldId } = begun
  const [table] = await tx.tables.findAll([tableId], 'none')
  const field = table && (await tx.fields.schemaOf(table)).byKey.id.get(fieldId)?.field
  if (!field) return
  if (isConverting(field)) {
    undo.noteFinal('The values of the field were still being converted')
    return
  }
  const digest = await digestFields(tx, { tableId, fieldIds: [fieldId], areEmpty: !readsCells })
  undo.note({ kind: 'conversion', ...begun, held: definitionOf(field), readsCells, digest })
}

/** What the cells of a field hold, those of deleted records too; undefined where there is no room for it. */
export async function keptColumn(
  tx: WriteTx,
  schema: TableSchema,
  { id }: Pick<Field, 'id'>,
  room: UndoLog,
): Promise<KeptColumn | undefined> {
  const until = await tx.recordScanner.lastNumber(schema)
  const schemaField = schema.byKey.id.get(id)
  const column = schemaField?.column
  const cells: KeptColumn['cells'][number][] = []
  if (!schemaField || !column || isComputed(schemaField.field)) return { cells, until }
  for await (const { records } of scanRecords(tx, schema, {
    columns: [column],
    withDeleted: true,
  })) {
    for (const record of records) {
      const cell = cellOf(schemaField, record)
      if (cell === null) continue
      if (!room.takeRoom([record.id, cell])) return undefined
      cells.push([record.id, cell])
    }
    await tx.giveWay()
  }
  return { cells, until }
}

/** Why what a conversion makes of a field can't be taken back; undefined where it can. */
function whyFinal(field: Field, wanted: Field): string | undefined {
  const isLink = [field, wanted].some((one) => linkAbilityOf(one))
  const staysLink = symmetricOf(field)?.fieldId === symmetricOf(wanted)?.fieldId
  if (isLink && !(cellChangeOf(field, wanted) === 'stay' && staysLink)) {
    return 'What a conversion made of a link has no way back'
  }
  return field.hasError ? 'The field that was converted had an error before' : undefined
}

function editsChoices(before: Field, after: Field): boolean {
  return choiceEdits(before.options as SelectOptions, after.options as SelectOptions).size > 0
}
