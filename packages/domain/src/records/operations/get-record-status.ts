import { z } from 'zod'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { isFound } from '../evaluation/is-found.ts'
import { readingShape } from '../input/record-input.ts'
import { indexOfRecord } from '../pages/index-of-record.ts'
import { findAskedQuery } from '../query/find-asked-query.ts'
import { pickShape, queryShape, sortShape } from '../query/query-shape.ts'

/** Tells whether a list still shows a record, and whether it lies in the trash. */
export const getRecordStatus = defineRead({
  summary: 'Find out whether a record is shown',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    ...readingShape,
    ...queryShape,
    ...pickShape,
    ...sortShape,
    take: z
      .int()
      .min(1)
      .max(limits.recordsPerPage)
      .optional()
      .describe('How many records the list has; all that are found where it is left out'),
    skip: z
      .int()
      .min(0)
      .max(limits.recordsSkipped)
      .default(0)
      .describe('How many records are passed over before the first of the list'),
  }),
  output: z.object({
    isVisible: z.boolean().describe('Whether the list has it'),
    isDeleted: z.boolean().describe('Whether it lies in the trash'),
  }),
  access: onTable('record|read'),
  run: async (context, input) => {
    const { tx } = context
    const { recordId, take = Infinity, skip } = input
    const { schema, query, inOrder } = await findAskedQuery(context, input)
    const record = await tx.records.find(schema, recordId, 'none')
    if (!record) {
      if (!(await tx.records.isDeleted(schema, recordId))) throw notFound('record', recordId)
      return { isVisible: false, isDeleted: true }
    }
    const found = await isFound(tx, schema, query.condition, record)
    if (!found) return { isVisible: false, isDeleted: false }
    if (skip === 0 && take === Infinity) return { isVisible: true, isDeleted: false }
    const index = (await indexOfRecord(tx, schema, query, record, inOrder)) - skip
    return { isVisible: index >= 0 && index < take, isDeleted: false }
  },
})
