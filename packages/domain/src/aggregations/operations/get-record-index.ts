import { z } from 'zod'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { isFound } from '../../records/evaluation/is-found.ts'
import { indexOfRecord } from '../../records/pages/index-of-record.ts'
import { findAskedQuery } from '../../records/query/find-asked-query.ts'
import { pickShape, queryShape, sortShape } from '../../records/query/query-shape.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** Tells how many records stand before one in what a query finds. */
export const getRecordIndex = defineRead({
  summary: 'Find the position of a record',
  input: z.object({
    tableId: idSchema,
    ...queryShape,
    ...pickShape,
    ...sortShape,
    recordId: idSchema.describe('The record that is looked for'),
  }),
  output: z.object({
    index: z
      .number()
      .nullable()
      .describe('How many records stand before it; null where the query does not find it'),
  }),
  access: onTable('record|read'),
  run: async (context, input) => {
    const { tx } = context
    const { schema, query, inOrder } = await findAskedQuery(context, input)
    const record = await tx.records.find(schema, input.recordId, 'none')
    if (!record) throw notFound('record', input.recordId)
    if (!(await isFound(tx, schema, query.condition, record))) return { index: null }
    return { index: await indexOfRecord(tx, schema, query, record, inOrder) }
  },
})
