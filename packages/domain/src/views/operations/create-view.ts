import { z } from 'zod'
import { requireRole, showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { viewOutput } from '../view.ts'
import { defaultViewName, toNewView, viewDefinitionSchema } from '../view-definition.ts'
import { addView, placeForView } from './add-view.ts'

/** Adds a view to a table; a name that another view has is numbered. */
export const createView = defineWrite({
  summary: 'Create a view',
  input: z.object({ tableId: idSchema, ...viewDefinitionSchema.shape }),
  output: viewOutput,
  access: showing(onTable('view|create', 'update'), 'view|read'),
  run: async (context, { tableId: _, ...definition }) => {
    if (definition.isLocked) requireRole(context.role, 'creator')
    const place = await placeForView(context, definition.name ?? defaultViewName)
    return addView(context, toNewView(context, definition, place), place.schema)
  },
})
