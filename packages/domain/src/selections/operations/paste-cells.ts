import { z } from 'zod'
import { mayTake, showing } from '../../access/guard.ts'
import { assert, DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { RecordInput } from '../../records/input/record-input.ts'
import { lockRecords } from '../../records/reading/lock-records.ts'
import type { RecordsContext } from '../../records/reading/records-context.ts'
import { Change } from '../../records/writing/change.ts'
import { creation } from '../../records/writing/creation.ts'
import type { RowOptions } from '../../records/writing/record-write.ts'
import { writeRecords } from '../../records/writing/write-records.ts'
import { onTable, type TableScope } from '../../tables/table-guard.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import { findShownTable } from '../find-selection.ts'
import { contentSchema, readContent } from '../pasted-content.ts'
import { selectionShape } from '../selection-shape.ts'
import { addColumns } from './add-columns.ts'
import { findPastePlace } from './paste-place.ts'
import { headerSchema } from './pasted-header.ts'
import { toPastedRows } from './pasted-rows.ts'

/**
 * Writes cells into a range of what a view shows, all of them or none. What reaches beyond the last row or column adds
 * records or fields. Values are read leniently; columns that nobody fills in are passed over.
 */
export const pasteCells = defineWrite({
  summary: 'Paste cells',
  input: z.object({
    ...selectionShape,
    content: contentSchema,
    header: headerSchema,
  }),
  output: z.object({
    ranges: z
      .array(z.tuple([z.number(), z.number()]))
      .describe('The first and the last cell that was pasted into: `[column, row]`, from 0'),
  }),
  // Held alone: choices and fields may be added, and what is changed is what is found.
  access: showing(onTable('record|update', 'update'), 'record|read'),
  matchesEach: true,
  run: async (context, { content: sent, header, ...input }) => {
    const { tx } = context
    const { fieldKeyType } = input
    const content = await readContent(tx, sent)
    const shown = await findShownTable(context, input)
    const place = await findPastePlace(tx, shown, content)
    const { firstColumn, width, firstRow, height, recordIds } = place
    if (height > recordIds.length) requireCreation(context, height - recordIds.length)
    if (height > limits.recordsWrittenAtOnce) tx.becomeLong()
    // Before fields are added; the cells are read after that.
    if (context.ifMatch) await lockRecords(context, recordIds, [])
    const there = shown.columns.slice(firstColumn, firstColumn + width)
    const { view } = shown
    const missing = { first: there.length, count: width - there.length, content, header, view }
    const { table, columns: added } = await addColumns(context, missing)
    const columns = [...there, ...added]
    const rows = await toPastedRows(context, { content, columns, height, fieldKeyType })
    const pathOf = (row: number) => ['content', row % content.rows.length]
    await writeRows({ ...context, table }, recordIds, rows, {
      fieldKeyType,
      typecast: true,
      pathOf,
    })
    const last = [firstColumn + width - 1, firstRow + height - 1] as [number, number]
    return { ranges: [[firstColumn, firstRow] as [number, number], last] }
  },
})

function requireCreation({ actor, role }: Pick<TableScope, 'role'> & CallContext, count: number) {
  if (mayTake(actor, role, 'record|create')) return
  const needs = `The pasted content needs ${count} more rows, and you may not add records`
  throw new DomainError('restricted_resource', `${needs}: paste less, or further up`)
}

/** The first rows change the records, the others make new ones, in a second write: these may take values that are let go. */
async function writeRows(
  context: RecordsContext & Pick<CallContext, 'ifMatch'>,
  recordIds: readonly string[],
  rows: readonly RecordInput[],
  options: RowOptions,
): Promise<void> {
  const { tx } = context
  const count = recordIds.length
  const existing = await lockRecords(context, recordIds)
  if (count > 0) await writeRecords(context, new Change(existing), rows.slice(0, count), options)
  if (count === rows.length) return
  // The first write may have added choices.
  const [table] = await tx.tables.findAll([context.table.id], 'none')
  assert(table, 'the table is held')
  const pathOf = (row: number) => options.pathOf(count + row)
  await writeRecords({ ...context, table }, creation, rows.slice(count), { ...options, pathOf })
}
