import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../change-view.ts'
import { type View, viewSortSchema } from '../view.ts'
import { onChangedView, onView, requireUnlocked } from '../view-guard.ts'
import { requireFields } from '../view-query.ts'
import { dropRowOrder, freezeMany, freezeNow, sortedBy } from './freeze-row-order.ts'

const requireReadable = onView('view|update')

/**
 * Sets in which order a view shows its records; null leaves them in that of the table. Rows that were moved or frozen
 * stay where they are only under a manual sort, for which their order is frozen where it wasn't yet.
 */
export const setViewSort = defineWrite({
  summary: 'Set the sort of a view',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    sort: viewSortSchema
      .nullable()
      .describe('It names fields by their ids; null leaves records in the order of the table'),
  }),
  output: noOutput,
  // Whoever has a number has made the record before its order is frozen.
  access: onChangedView('view|update', 'update'),
  prepare: async ({ actor, store, ids, now }, input) => {
    const { sort } = input
    if (!sort?.manualSort) return undefined
    return freezeMany({ store, ids, now }, async (tx) => {
      const { scope } = await requireReadable.enter(tx, actor, input)
      requireUnlocked(scope.view)
      const schema = await tx.fields.schemaOf(scope.table)
      requireFields(sort.sortObjs, schema, ['sort', 'sortObjs'])
      return keepsRows(scope.view) ? undefined : sortedBy(schema, sort, scope.view)
    })
  },
  run: async (context, { sort }) => {
    const { tx, table, view, prepared } = context
    const schema = await tx.fields.schemaOf(table)
    if (sort) requireFields(sort.sortObjs, schema, ['sort', 'sortObjs'])
    if (!sort?.manualSort) {
      await dropRowOrder(context, schema, view)
      return changeView(context, view, { sort, rowOrder: null })
    }
    if (keepsRows(view)) return changeView(context, view, { sort })
    const rowOrder = await freezeNow(context, sortedBy(schema, sort, view), prepared)
    await dropRowOrder(context, schema, view)
    await changeView(context, view, { sort, rowOrder })
  },
})

/** Whether the view shows its rows by a row order and no sort: they stay where they are then. */
function keepsRows({ sort, rowOrder }: View): boolean {
  return rowOrder !== null && (!sort || sort.manualSort === true)
}
