import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { becomeLongIfMany } from '../../records/query/become-long-if-many.ts'
import { findAskedQuery } from '../../records/query/find-asked-query.ts'
import { queryShape } from '../../records/query/query-shape.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** Counts the cells in which a search finds its text, of the records that a filter lets through. */
export const getSearchCount = defineRead({
  summary: 'Count what a search finds',
  input: z.object({ tableId: idSchema, ...queryShape }),
  output: z.object({
    count: z.number().describe('How many cells show the text that is searched'),
  }),
  access: onTable('record|read'),
  run: async (context, input) => {
    const { tx } = context
    const { schema, query, search } = await findAskedQuery(context, input)
    if (!search) return { count: 0 }
    await becomeLongIfMany(tx, schema, { kind: 'shows', ...search })
    return { count: await tx.recordFinder.countHits(schema, query.condition, search) }
  },
})
