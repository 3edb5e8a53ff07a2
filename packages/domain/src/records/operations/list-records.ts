import { z } from 'zod'
import { AnswerTooLong } from '../../answer-too-long.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { notYet } from '../../not-yet.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { countWithin } from '../answer-size.ts'
import { fromCursor, toCursor } from '../cursor.ts'
import { readingShape } from '../record-input.ts'
import { recordOutput, toRecordOutputs } from '../record-output.ts'

const filterNotYet = notYet('filtering records')
const groupNotYet = notYet('grouping records')

/**
 * Lists records in the order in which they were created. `nextCursor` leads to the next page, which
 * neither skips nor repeats a record, whatever is created or deleted meanwhile; null at the end. A page
 * of large records ends before it has as many as were asked for.
 */
export const listRecords = defineRead({
  summary: 'List records',
  input: z.object({
    tableId: idSchema,
    ...readingShape,
    take: z
      .int()
      .min(1)
      .max(limits.recordsPerPage)
      .default(limits.recordsPerPageDefault)
      .describe('How many records to answer at most: fewer where they are large, see nextCursor'),
    skip: z
      .int()
      .min(0)
      .max(limits.recordsSkipped)
      .default(0)
      .describe('How many records are passed over before the first that is answered'),
    cursor: textUpTo(limits.shortTextLength)
      .optional()
      .describe('The `nextCursor` of the page before'),
    viewId: notYet('reading records as a view has them'),
    /** Nothing is taken from a view yet, so there is nothing to leave aside. */
    ignoreViewQuery: z
      .boolean()
      .optional()
      .describe(
        'Whether filter and order of the view are left aside; nothing is taken from a view yet, so it changes nothing',
      ),
    filter: filterNotYet,
    filterByTql: filterNotYet,
    filterLinkCellCandidate: filterNotYet,
    filterLinkCellSelected: filterNotYet,
    selectedRecordIds: filterNotYet,
    orderBy: notYet('sorting records'),
    groupBy: groupNotYet,
    collapsedGroupIds: groupNotYet,
    queryId: notYet('a query that is kept'),
    search: notYet('searching records'),
  }),
  output: z.object({
    records: z.array(recordOutput),
    nextCursor: z
      .string()
      .nullable()
      .describe('Leads to the records that follow; null when these were the last'),
  }),
  access: onTable('record|read'),
  needs: ['secrets'],
  endsAtLength: true,
  isLong: ({ skip }) => skip > limits.recordsSkippedAtOnce,
  run: async ({ tx, actor, table, secrets, answerLength: length, mayEndSooner }, input) => {
    const { cursor, skip, take, fieldKeyType, cellFormat, projection } = input
    const after = cursor === undefined ? 0 : fromCursor(secrets, table.id, cursor)
    const schema = await tx.fields.schemaOf(table)
    const found = await tx.records.page(schema, {
      after,
      skip,
      take: take + 1,
      ...(length !== undefined && { length }),
    })
    const isTooLong = length !== undefined && (found.isCut || found.size > length)
    if (isTooLong && !mayEndSooner) throw new AnswerTooLong()
    const shape = { fieldKeyType, cellFormat, projection: projection && new Set(projection), actor }
    const shown = await toRecordOutputs(tx, schema, found.records.slice(0, take), shape)
    const fitting = await countWithin(tx, shown, limits.answerBytes)
    const records = shown.slice(0, Math.max(1, fitting))
    const hasMore = found.isCut || found.records.length > records.length
    const last = records.at(-1)
    const nextCursor = hasMore && last ? toCursor(secrets, table.id, last.autoNumber) : null
    return { records, nextCursor }
  },
})
