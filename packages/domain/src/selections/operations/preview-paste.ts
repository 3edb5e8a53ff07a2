import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { fieldKeyType } from '../../records/input/record-input.ts'
import { mostAnswered, ValuesWithin } from '../../records/showing/answer-size.ts'
import { outputsOf, recordOutput } from '../../records/showing/record-output.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import { previewRows } from '../../records/writing/preview-rows.ts'
import type { RowReading } from '../../records/writing/record-write.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { findShownTable } from '../find-selection.ts'
import { isFilledByPeople } from '../is-filled-by-people.ts'
import { contentSchema, extentOf, readContent } from '../pasted-content.ts'
import { projectionShape, rangesShape } from '../selection-shape.ts'
import { tooLongSelection } from '../too-long-selection.ts'
import { onlyRange, pasteColumns, requirePasteRoom } from './paste-place.ts'
import { headerSchema } from './pasted-header.ts'
import { toPastedRows } from './pasted-rows.ts'

/**
 * Tells what cells would hold if content were pasted, by row, and changes nothing. Columns that would have to be added, and
 * those that nobody fills in, are left out.
 */
export const previewPaste = defineRead({
  summary: 'Preview a paste',
  input: z.object({
    tableId: idSchema,
    fieldKeyType: fieldKeyType.default('id'),
    viewId: idSchema.optional().describe('A view whose columns count'),
    ignoreViewQuery: z
      .boolean()
      .optional()
      .describe('Changes nothing here: only the columns of the view count'),
    ...projectionShape,
    ...rangesShape,
    content: contentSchema,
    header: headerSchema,
  }),
  output: z.array(z.object({ fields: recordOutput.shape.fields })),
  access: onTable('record|read'),
  endsAtLength: true,
  run: async (context, { content: sent, header: _, ...input }) => {
    const { tx, actor, publicUrl } = context
    const { fieldKeyType } = input
    const content = await readContent(tx, sent)
    const shown = await findShownTable(context, input)
    const { firstColumn, width } = pasteColumns(shown, content)
    const range = onlyRange(shown.area.rows) ?? { first: 0, last: 0 }
    const height = extentOf(content.rows.length, range.last - range.first + 1)
    requirePasteRoom(width, height)
    const columns = shown.columns.slice(firstColumn, firstColumn + width)
    const rows = await toPastedRows(context, { content, columns, height, fieldKeyType })
    const pathOf = (row: number) => ['content', row % content.rows.length]
    const cells = await previewRows(context, rows, { fieldKeyType, typecast: true, pathOf })
    const records = cells.map((row) =>
      toRecord(
        context,
        row.map((cell) => cell ?? null),
      ),
    )
    const projection = new Set(
      columns.filter(isFilledByPeople).map(({ field }) => field[fieldKeyType]),
    )
    const shape = { fieldKeyType, cellFormat: 'json', projection, ...{ actor, publicUrl } } as const
    const { show } = await outputsOf(tx, shown.schema, records, shape)
    const within = new ValuesWithin<{ fields: Record<string, unknown> }>(tx, mostAnswered(context))
    for (const record of records) {
      const { fields } = await show(tx, record)
      if (!(await within.add({ fields }))) throw tooLongSelection(context)
    }
    return within.values
  },
})

/** The cells as those of a record: what a record has beside them isn't shown. */
function toRecord(
  { userId, now }: Pick<RowReading['context'], 'userId' | 'now'>,
  cells: StoredRecord['cells'],
): StoredRecord {
  const made = { createdTime: now, lastModifiedTime: now, createdBy: userId, lastModifiedBy: null }
  return { id: '', autoNumber: 0, version: 0, ...made, cells }
}
