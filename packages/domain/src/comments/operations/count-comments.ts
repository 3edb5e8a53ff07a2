import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { listInput } from '../../records/pages/list-input.ts'
import { readPageOf } from '../../records/pages/read-page-of.ts'
import { findAskedQuery } from '../../records/query/find-asked-query.ts'
import { onRecord } from '../../records/record-guard.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** Counts the comments of a record. */
export const countComments = defineRead({
  summary: 'Count the comments of a record',
  input: z.object({ tableId: idSchema, recordId: idSchema }),
  output: z.object({ count: z.number().describe('How many there are') }),
  access: onRecord('record|read'),
  run: async ({ tx }, { tableId, recordId }) => {
    const { count } = await tx.comments.tallyOf({ tableId, recordId })
    return { count }
  },
})

/** Counts the comments of each record of a list. */
export const countCommentsOfList = defineRead({
  summary: 'Count the comments of records',
  input: listInput,
  output: z.array(
    z.object({
      recordId: z.string().describe('The id of the record'),
      count: z.number().describe('How many comments it has'),
    }),
  ),
  access: onTable('record|read'),
  needs: ['secrets'],
  isLong: ({ skip }) => skip > limits.recordsSkippedAtOnce,
  run: async (context, input) => {
    const { tx } = context
    const { schema, query, inOrder, viewQuery } = await findAskedQuery(context, input)
    const page = await readPageOf(context, schema, { ...query, inOrder, view: viewQuery }, input)
    const recordIds: string[] = []
    for await (const records of page.source) recordIds.push(...records.map(({ id }) => id))
    const asked = recordIds.slice(0, input.take)
    const counts = await tx.comments.countsOf(schema.tableId, asked)
    return asked.flatMap((recordId) => {
      const count = counts.get(recordId)
      return count === undefined ? [] : [{ recordId, count }]
    })
  },
})
