import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { ordersAt } from '../../values/ordering.ts'
import { changeView, renumberViews } from '../change-view.ts'
import { onChangedView } from '../view-guard.ts'

/** Moves a view before or after another one of its table. */
export const moveView = defineWrite({
  summary: 'Move a view before or after another one',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    anchorId: idSchema,
    position: z.enum(['before', 'after']),
  }),
  output: noOutput,
  access: onChangedView('view|update', 'update'),
  run: async (context, { tableId, viewId, anchorId, position }) => {
    const { tx } = context
    if (anchorId === viewId) throw invalidAt(['anchorId'], 'must be another view')
    const views = await tx.views.listOf(tableId)
    const siblings = views.filter(({ id }) => id !== viewId)
    const anchor = siblings.findIndex(({ id }) => id === anchorId)
    if (anchor === -1) {
      throw new DomainError('view_not_found', `There is no view "${anchorId}" in this table`)
    }
    const index = position === 'before' ? anchor : anchor + 1
    if (views[index]?.id === viewId) return
    const orders = ordersAt(siblings, index, [viewId])
    const view = views.find(({ id }) => id === viewId)
    const order = orders.get(viewId)
    if (view && order !== undefined) await changeView(context, view, { order })
    // Where the numbers between two are used up all get new ones: the others stay where they are.
    await renumberViews(context, siblings, orders)
  },
})
