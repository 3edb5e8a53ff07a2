import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { type AskedQuery, findAskedQuery } from '../../records/query/find-asked-query.ts'
import { pickShape, queryShape, sortShape } from '../../records/query/query-shape.ts'
import { type Outputs, outputsOf } from '../../records/showing/record-output.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { onTable, type TableScope } from '../../tables/table-guard.ts'
import { defineText, type ReadContext, StreamPart } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { guardFormula, toCsvLine } from '../csv-line.ts'
import { toExportFileName } from '../export-file-name.ts'
import { exportedColumnMeta, exportedFields } from '../exported-fields.ts'
import {
  changedMeanwhile,
  type ExportedRecords,
  type ExportPlace,
  isFound,
  readExported,
} from '../read-exported.ts'
import { TextPieces } from '../text-pieces.ts'

const input = z.object({
  tableId: idSchema,
  ...queryShape,
  selectedRecordIds: pickShape.selectedRecordIds,
  ...sortShape,
  projection: z
    .array(textUpTo(limits.shortTextLength))
    .max(limits.fieldsPerTable)
    .optional()
    .describe('The fields to export, named as `fieldKeyType` says; else those that the view shows'),
  columnMeta: exportedColumnMeta
    .optional()
    .describe('Order and visibility of fields by their ids, over what the view says'),
  guardFormulas: z
    .boolean()
    .default(false)
    .describe(
      'Whether texts that a spreadsheet would take for formulas get an apostrophe before them',
    ),
  bom: z
    .boolean()
    .default(true)
    .describe('Whether the file begins with a byte order mark, by which spreadsheets know UTF-8'),
})

/**
 * Exports the records of a table, or what a view shows of them, as CSV: a line with the names of the fields, then one
 * for each record, its cells as people read them. The text comes in parts, each read on a snapshot of its own: a record
 * that stays where it is comes once, whatever others change meanwhile.
 */
export const exportTable = defineText({
  summary: 'Export records as CSV',
  input,
  access: onTable('table|export'),
  run: (context, input) => exportPart(context, input, undefined),
})

type ExportInput = z.output<typeof input>
type ExportContext = ReadContext<TableScope, never>

/** What of an export is the same in all of its parts, and how far it is. */
interface Progress {
  readonly place: ExportPlace
  readonly shape: string
}

async function exportPart(
  context: ExportContext,
  input: ExportInput,
  before: Progress | undefined,
): Promise<StreamPart<ExportContext>> {
  const { tx, table } = context
  const asked = await findAskedQuery(context, input)
  const { schema, view, viewQuery } = asked
  const query = { ...asked.query, viewVersion: viewQuery?.version ?? 0 }
  const fields = exportedFields(schema, view, input)
  const shape = shapeOf(asked, fields)
  if (before && before.shape !== shape) throw changedMeanwhile()
  const projection = new Set(fields.map(({ field }) => field.id))
  const { actor, publicUrl } = context
  const how = { fieldKeyType: 'id', cellFormat: 'text', projection, actor, publicUrl } as const
  const { pieces, place } = await makeText(tx, before?.place, {
    head: before ? '' : headOf(fields, input),
    read: (place) => readExported(tx, schema, query, place, fields),
    show: (records) => outputsOf(tx, schema, records, how),
    toLine: lineMaker(schema, fields, input),
  })
  const next = place && { place, shape }
  return new StreamPart({
    pieces,
    fileName: toExportFileName([table.name, ...(view ? [view.name] : [])], 'csv'),
    mediaType: 'text/csv',
    goOn: next && ((later: ExportContext) => exportPart(later, input, next)),
  })
}

/** How the text of a part is made. */
interface Making {
  readonly head: string
  readonly read: (place: ExportPlace | undefined) => Promise<ExportedRecords>
  readonly show: (records: readonly StoredRecord[]) => Promise<Pick<Outputs, 'textsOf'>>
  readonly toLine: (texts: readonly string[]) => string
}

/**
 * The text of the records from a place on, as many as one part may have, and where it goes on. What follows is read while the
 * text of what was read is made, where it is likely to have room.
 */
async function makeText(
  tx: ReadTx,
  from: ExportPlace | undefined,
  { head, read, show, toLine }: Making,
): Promise<{ readonly pieces: readonly string[]; readonly place: ExportPlace | undefined }> {
  const text = new TextPieces(head)
  let count = 0
  let turnEnd = limits.exportTurnLength
  let reading = read(from)
  for (;;) {
    const { records, size, end, placeAfter } = await reading
    const showing = show(records)
    count += records.length
    const goesOn = end !== undefined && isFound(end) && count < limits.recordsPerExportPart
    const hasRoom = text.length + 2 * size < limits.exportPartLength
    const ahead = goesOn && hasRoom ? read(end) : undefined
    // Whoever asks for it hears that it failed.
    ahead?.catch(() => {})
    try {
      const { textsOf } = await showing
      for (const [index, record] of records.entries()) {
        const texts = textsOf(tx, record)
        text.add(toLine(Array.isArray(texts) ? texts : await texts))
        if (text.length >= limits.exportPartLength && index < records.length - 1) {
          return { pieces: text.end(), place: placeAfter(index) }
        }
        if (text.length < turnEnd) continue
        await tx.giveWay()
        turnEnd = text.length + limits.exportTurnLength
      }
    } finally {
      // The snapshot may end, and nothing is read on it afterwards.
      await ahead?.catch(() => {})
    }
    if (!goesOn || text.length >= limits.exportPartLength) return { pieces: text.end(), place: end }
    reading = ahead ?? read(end)
  }
}

function headOf(fields: readonly SchemaField[], { bom, guardFormulas }: ExportInput): string {
  const names = fields.map(({ field: { name } }) => (guardFormulas ? guardFormula(name) : name))
  return (bom ? '\ufeff' : '') + toCsvLine(names)
}

/** Makes a line of the texts of a record, which are in the order of the schema. */
function lineMaker(
  schema: TableSchema,
  fields: readonly SchemaField[],
  { guardFormulas }: ExportInput,
): (texts: readonly string[]) => string {
  const exported = new Set(fields)
  const places = new Map(
    schema.fields.filter((field) => exported.has(field)).map((field, place) => [field, place]),
  )
  const columns = fields.map((field) => ({
    place: places.get(field) ?? -1,
    // A number below zero is no formula.
    isGuarded: guardFormulas && field.rules.form.item.kind !== 'number',
  }))
  return (texts) =>
    toCsvLine(
      columns.map(({ place, isGuarded }) => {
        const text = texts[place] ?? ''
        return isGuarded ? guardFormula(text) : text
      }),
    )
}

/** What must stay as it was at the beginning, for the parts to be one file. */
function shapeOf({ viewQuery }: AskedQuery, fields: readonly SchemaField[]): string {
  const { filter, sort, group, rowOrder } = viewQuery ?? {}
  // Room that is made between rows changes nothing about their order.
  const ofView = [filter, sort, group, rowOrder?.id]
  const ofFields = fields.map(({ field: { id, name, type, isLookup } }) => [
    id,
    name,
    type,
    isLookup,
  ])
  return JSON.stringify([ofView, ofFields])
}
