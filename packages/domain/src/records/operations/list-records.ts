import { z } from 'zod'
import type { Guard } from '../../access/guard.ts'
import { AnswerTooLong } from '../../answers/answer-too-long.ts'
import { limits } from '../../limits.ts'
import { onTable, type TableScope } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { jsonBytes } from '../../values/json/json-bytes.ts'
import { shownKeys } from '../../views/column-meta.ts'
import { readGrouping } from '../groups/group-points.ts'
import { listExtraOutput } from '../pages/list-extra-output.ts'
import { listInput } from '../pages/list-input.ts'
import { readPageOf } from '../pages/read-page-of.ts'
import { findAskedQuery } from '../query/find-asked-query.ts'
import { mostAnswered } from '../showing/answer-size.ts'
import { recordOutput } from '../showing/record-output.ts'
import { SearchHits } from '../showing/search-hits.ts'
import { showWithin } from '../showing/show-within.ts'

const onReadTable = onTable('record|read')

/** As `onTable`; where records are asked for by a query, it is asked at once whether the table has many. */
const onListedTable: Guard<z.output<typeof listInput>, TableScope> = {
  ...onReadTable,
  enter: (tx, actor, input) => {
    const entering = onReadTable.enter(tx, actor, input)
    const { tableId, filter, orderBy, search, groupBy } = input
    if (filter ?? orderBy ?? search ?? groupBy)
      tx.recordScanner.readAhead(tableId, limits.recordsSearchedAtOnce)
    return entering
  },
}

/**
 * Lists the records that a filter lets through, in the order that is asked for, else in that in which they were created.
 * `nextCursor` leads to the next page, which neither skips nor repeats a record that stays where it is in that order,
 * whatever is created, changed or deleted meanwhile; null at the end. A page of large records ends before it has as
 * many as were asked for.
 */
export const listRecords = defineRead({
  summary: 'List records',
  input: listInput,
  output: z.object({
    records: z.array(recordOutput),
    nextCursor: z
      .string()
      .nullable()
      .describe('Leads to the records that follow; null when these were the last'),
    extra: listExtraOutput,
  }),
  access: onListedTable,
  needs: ['secrets'],
  endsAtLength: true,
  isLong: ({ skip }) => skip > limits.recordsSkippedAtOnce,
  run: async (context, input) => {
    const { tx, actor, publicUrl, fileUrls, answerLength, mayEndSooner } = context
    const asked = await findAskedQuery(context, input)
    const { schema, query, search, inOrder, view, viewQuery } = asked
    const page = await readPageOf(context, schema, { ...query, inOrder, view: viewQuery }, input)
    const isFirst = input.cursor === undefined
    const grouping = isFirst
      ? (asked.grouping ?? (await readGrouping(context, asked, [])))
      : undefined
    const groups = await grouping?.tell()
    const { fieldKeyType, cellFormat, take } = input
    const projection = input.projection ?? (view && shownKeys(view, schema, fieldKeyType))
    const keys = projection && new Set(projection)
    const shape = { fieldKeyType, cellFormat, projection: keys, actor, publicUrl, fileUrls }
    const beside = groups ? jsonBytes(groups) : 0
    const end = { most: take, bytes: mostAnswered(context) - beside }
    const hits = search && new SearchHits(tx, search)
    const shown = await showWithin(tx, schema, page.source, shape, end, hits)
    const { records, hasMore, isTooLong } = shown
    if ((isTooLong || end.bytes < 0) && answerLength !== undefined && !mayEndSooner)
      throw new AnswerTooLong()
    const nextCursor = hasMore ? page.cursorAt(records.length - 1) : null
    if (!hits && !groups) return { records, nextCursor }
    const searchHitIndex = hits && records.flatMap((record) => hits.of(record))
    return { records, nextCursor, extra: { ...groups, ...(searchHitIndex && { searchHitIndex }) } }
  },
})
