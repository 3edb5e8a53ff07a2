import { z } from 'zod'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import { findPeople, noteUsers } from '../../records/find-people.ts'
import { becomeLongIfMany } from '../../records/query/become-long-if-many.ts'
import { type NotedPositions, positionOf } from '../../records/query/evaluate-query.ts'
import { findAskedQuery } from '../../records/query/find-asked-query.ts'
import { findPeopleShown } from '../../records/query/find-people-shown.ts'
import { meetsCondition } from '../../records/query/meets-condition.ts'
import { queryShape, sortShape } from '../../records/query/query-shape.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** Tells how many records stand before one in what a query finds. */
export const getRecordIndex = defineRead({
  summary: 'Find the place of a record',
  input: z.object({
    tableId: idSchema,
    ...queryShape,
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
    const { schema, query } = await findAskedQuery(context, input)
    const record = await tx.records.find(schema, input.recordId, 'none')
    if (!record) throw notFound('record', input.recordId)
    const shown = await findPeopleShown(tx, query.condition, [record])
    if (!meetsCondition(query.condition, record, shown)) return { index: null }
    await becomeLongIfMany(tx, schema, query.condition)
    const userIds = new Set<string>()
    for (const { field } of query.keys) noteUsers(field, [record], userIds)
    const people = await findPeople(tx, userIds)
    const noted = await notedPositions(tx, schema, query.rowOrder, record.autoNumber)
    const position = positionOf(record, query.keys, people, noted)
    return { index: await tx.recordFinder.countBefore(schema, query, position) }
  },
})

/** What the row order, if there is one, notes of a record. */
async function notedPositions(
  { rowOrders }: Pick<ReadTx, 'rowOrders'>,
  { baseId }: TableSchema,
  order: RowOrder | undefined,
  autoNumber: number,
): Promise<NotedPositions | undefined> {
  if (!order) return undefined
  const noted = await rowOrders.notedOf(baseId, order.id, [autoNumber])
  return new Map([...noted].map(([number, { position }]) => [number, position]))
}
