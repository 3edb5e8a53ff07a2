import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { sortSchema } from '../../queries/sort.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../change-view.ts'
import { onChangedView, onView, requireUnlocked } from '../view-guard.ts'
import { requireFields } from '../view-query.ts'
import { dropRowOrder, freezeMany, freezeNow, sortedBy } from './freeze-row-order.ts'

const requireReadable = onView('view|update')

/** Freezes the rows of a view in the order of a sort, as it is now for all records of the table. */
export const sortViewManually = defineWrite({
  summary: 'Sort the rows of a view once',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    sortObjs: sortSchema.describe('By which fields records are sorted once, named by their ids'),
  }),
  output: noOutput,
  // Whoever has a number has made the record before its order is frozen.
  access: onChangedView('view|update', 'update'),
  prepare: ({ actor, store, ids, now }, input) =>
    freezeMany({ store, ids, now }, async (tx) => {
      const { scope } = await requireReadable.enter(tx, actor, input)
      requireUnlocked(scope.view)
      const schema = await tx.fields.schemaOf(scope.table)
      requireFields(input.sortObjs, schema, ['sortObjs'])
      return sortedBy(schema, input, scope.view)
    }),
  run: async (context, { sortObjs }) => {
    const { tx, table, view, prepared } = context
    const schema = await tx.fields.schemaOf(table)
    requireFields(sortObjs, schema, ['sortObjs'])
    const rowOrder = await freezeNow(context, sortedBy(schema, { sortObjs }, view), prepared)
    await dropRowOrder(context, schema, view)
    await changeView(context, view, { sort: { sortObjs, manualSort: true }, rowOrder })
  },
})
