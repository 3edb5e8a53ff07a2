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

/** Counts the records that a filter lets through. */
export const getRowCount = defineRead({
  summary: 'Count records',
  input: z.object({ tableId: idSchema, ...queryShape, ...pickShape }),
  output: z.object({ rowCount: z.number().describe('How many there are') }),
  access: onTable('record|read'),
  run: (context, input) => countRows(context, input),
})

/** Counts what is asked for. */
export async function countRows(
  context: AskedContext,
  input: AskedInput,
): Promise<{ rowCount: number }> {
  const { tx } = context
  const { schema, query } = await findAskedQuery(context, input)
  await becomeLongIfMany(tx, schema, query.condition)
  return { rowCount: await tx.recordFinder.count(schema, query.condition) }
}
