import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import {
  type AskedContext,
  type AskedInput,
  findAskedQuery,
} from '../../records/query/find-asked-query.ts'
import { pickShape, queryShape } from '../../records/query/query-shape.ts'
import { becomeLongIfMany } from '../../records/reading/become-long-if-many.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** How many cells show what is searched. */
export const searchCountOutput = z.object({
  count: z.number().describe('How many cells show the text that is searched'),
})

/** Counts the cells in which a search finds its text, of the records that a filter lets through. */
export const getSearchCount = defineRead({
  summary: 'Count the hits of a search',
  input: z.object({ tableId: idSchema, ...queryShape, ...pickShape }),
  output: searchCountOutput,
  access: onTable('record|read'),
  run: (context, input) => countHits(context, input),
})

/** Counts the hits of what is asked for. */
export async function countHits(
  context: AskedContext,
  input: AskedInput,
): Promise<z.output<typeof searchCountOutput>> {
  const { tx } = context
  const { schema, query, search } = await findAskedQuery(context, input)
  if (!search) return { count: 0 }
  await becomeLongIfMany(tx, schema, { kind: 'shows', ...search })
  return { count: await tx.recordFinder.countHits(schema, query.condition, search) }
}
