import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { readMembers } from '../../calculations/evaluation/read-members.ts'
import { invalidAt } from '../../errors.ts'
import type { FileFacts } from '../../fields/field-type.ts'
import { typeOf } from '../../fields/field-values.ts'
import { isExclusive } from '../../fields/link-end.ts'
import { requireConverted } from '../../fields/operations/require-converted.ts'
import { idSchema } from '../../ids.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { defineWrite } from '../../use-case.ts'
import { fieldKeyType, type RowAnchor, rowAnchorShape } from '../input/record-input.ts'
import { onRecord, type RecordScope } from '../record-guard.ts'
import { holdRowView } from '../row-order/hold-row-view.ts'
import { placeWritten } from '../row-order/place-records.ts'
import { recordOutput } from '../showing/record-output.ts'
import { toWrittenOutputs } from '../showing/written-answer.ts'
import type { CellPatch } from '../stored/cell-patch.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { creation } from '../writing/creation.ts'
import { toWrite, writeRows } from '../writing/write-records.ts'

const rowAnchor = z.object(rowAnchorShape).partial()

/**
 * Adds a record with the cells of another one, but for links to records that take one link at most, and puts it in the
 * row order of a view where one is named.
 */
export const duplicateRecord = defineWrite({
  summary: 'Duplicate a record',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    fieldKeyType: fieldKeyType.default('name'),
    ...rowAnchor.shape,
  }),
  output: z.object({ records: z.array(recordOutput) }),
  access: showing(onRecord('record|create', 'share'), 'record|read'),
  run: async (context, { fieldKeyType, ...input }) => {
    const { tx, record, schema } = context
    requireConverted(
      schema.fields.map(({ field }) => field),
      'duplicate the record',
    )
    const order = toRowAnchor(input)
    const view = await holdRowView(context, order)
    const options = { fieldKeyType, typecast: false, pathOf: () => [] }
    const storedFiles = await filesOfOtherSpaces(context)
    const write = toWrite({ ...context, storedFiles }, creation, options)
    const loaded = await write.graph.put(context.table)
    const rows = [await copiedCells(tx, loaded.schema, record)]
    const written = await writeRows(write, { loaded, rows })
    await placeWritten(context, view, order, written)
    return { records: await toWrittenOutputs(context, written, fieldKeyType) }
  },
})

/** Where to put the copy, undefined where nothing is said; validation_error where only a part of it is. */
function toRowAnchor({
  viewId,
  anchorId,
  position,
}: z.output<typeof rowAnchor>): RowAnchor | undefined {
  const said = { viewId, anchorId, position }
  const missing = Object.entries(said).find(([, value]) => value === undefined)
  if (!missing) return said as RowAnchor
  if (Object.values(said).every((value) => value === undefined)) return undefined
  throw invalidAt([missing[0]], 'must be given where one of viewId, anchorId and position is')
}

/** Files of the record that belong to another space by now, as its cells tell of them: the copy has them, too. */
async function filesOfOtherSpaces({
  tx,
  base,
  schema,
  record,
}: RecordScope & { readonly tx: ReadTx }): Promise<ReadonlyMap<string, FileFacts>> {
  const told = new Map<string, FileFacts>()
  for (const { field, column } of schema.columns) {
    const stored = typeOf(field).files?.stored(record.cells[column.index] ?? null)
    for (const [token, file] of stored ?? []) told.set(token, file)
  }
  if (told.size === 0) return told
  for (const { token } of await tx.attachments.findAll(base.spaceId, [...told.keys()])) {
    told.delete(token)
  }
  return told
}

/** What people entered into the record: cells that follow from others are computed for the copy, whose buttons nobody pressed. */
async function copiedCells(
  tx: ReadTx,
  { columns }: TableSchema,
  record: StoredRecord,
): Promise<CellPatch> {
  // While a link field is pending, its cell may show earlier links than there are.
  const pending = columns.filter(({ field, link }) => link && field.isPending)
  const current = { ...record, cells: [...record.cells] }
  await readMembers(tx, pending, [current])
  return columns.map(({ column, field, isWritable, link }) => {
    if (!isWritable || typeOf(field).isPressed) return undefined
    return link && isExclusive(link.end.relationship) ? null : (current.cells[column.index] ?? null)
  })
}
