import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import {
  type AskedContext,
  type AskedInput,
  findAskedQuery,
} from '../../records/query/find-asked-query.ts'
import { pickShape, queryShape, sortShape } from '../../records/query/query-shape.ts'
import { becomeLongIfMany } from '../../records/reading/become-long-if-many.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** How a caller says which hits of a search are asked for. */
export const hitPageShape = {
  skip: z
    .int()
    .min(0)
    .max(limits.recordsSkipped)
    .default(0)
    .describe('How many hits are passed over before the first that is answered'),
  take: z
    .int()
    .min(1)
    .max(limits.recordsPerPage)
    .default(limits.recordsPerPageDefault)
    .describe('How many hits to answer at most'),
}

/** The cells that show what is searched. */
export const searchIndexOutput = z
  .array(
    z
      .object({
        index: z.number().describe('The place of the record in what the query finds, from 1'),
        fieldId: z.string().describe('The id of the field that shows the text'),
        recordId: z.string().describe('The id of the record'),
      })
      .meta({ id: 'PlacedHit' }),
  )
  .describe('The cells that show the text, in the order of the records and of their fields')

/** Tells in which cells a search finds its text, and where their records stand in what a query finds. */
export const getSearchIndex = defineRead({
  summary: 'List the hits of a search',
  input: z.object({
    tableId: idSchema,
    ...queryShape,
    ...pickShape,
    ...sortShape,
    ...hitPageShape,
  }),
  output: searchIndexOutput,
  access: onTable('record|read'),
  run: (context, input) => findHits(context, input),
})

/** The hits of what is asked for. */
export async function findHits(
  context: AskedContext,
  input: AskedInput & { readonly skip: number; readonly take: number },
): Promise<z.output<typeof searchIndexOutput>> {
  const { tx } = context
  const { schema, query, search, inOrder } = await findAskedQuery(context, input)
  if (inOrder) {
    const message =
      "must name the field alone, or be sent with orderBy: hits can't be listed in the order of a cell"
    throw invalidAt(['filterLinkCellSelected'], message)
  }
  if (!search) return []
  await becomeLongIfMany(tx, schema, { kind: 'shows', ...search })
  const { skip, take } = input
  return [...(await tx.recordFinder.findHits(schema, query, search, { skip, take }))]
}
