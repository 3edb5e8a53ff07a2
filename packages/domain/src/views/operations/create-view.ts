import { z } from 'zod'
import { requireRole, showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { viewOutput } from '../view.ts'
import { defaultViewName, toNewView, viewDefinitionSchema } from '../view-definition.ts'
import { requireFields } from '../view-query.ts'
import { addView, beforeEqual, placeForView } from './add-view.ts'
import { freezeMany, freezeNow, sortedBy } from './freeze-row-order.ts'

const requireCreator = onTable('view|create')

/** Adds a view to a table; a name that another view has is numbered. */
export const createView = defineWrite({
  summary: 'Create a view',
  input: z.object({ tableId: idSchema, ...viewDefinitionSchema.shape }),
  output: viewOutput,
  access: showing(onTable('view|create', 'update'), 'view|read'),
  prepare: async ({ actor, store, ids, now }, input) => {
    const { sort } = input
    if (!sort?.manualSort) return undefined
    return freezeMany({ store, ids, now }, async (tx) => {
      const { scope } = await requireCreator.enter(tx, actor, input)
      const schema = await tx.fields.schemaOf(scope.table)
      requireFields(sort.sortObjs, schema, ['sort', 'sortObjs'])
      return sortedBy(schema, sort)
    })
  },
  run: async (context, { tableId: _, ...definition }) => {
    if (definition.isLocked) requireRole(context.role, 'creator')
    const { schema, views, ...place } = await placeForView(
      context,
      definition.name ?? defaultViewName,
    )
    const wanted = toNewView(context, definition, { schema, ...place })
    const view = await beforeEqual(context, wanted, views)
    if (!view.sort?.manualSort) return addView(context, view, schema)
    const rowOrder = await freezeNow(context, sortedBy(schema, view.sort), context.prepared)
    return addView(context, { ...view, rowOrder }, schema)
  },
})
