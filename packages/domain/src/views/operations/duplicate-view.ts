import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { viewOutput } from '../view.ts'
import { onView } from '../view-guard.ts'
import { addView, placeForView } from './add-view.ts'

/** Adds a view like another one, behind all others. The copy of a locked view isn't locked. */
export const duplicateView = defineWrite({
  summary: 'Duplicate a view',
  input: z.object({ tableId: idSchema, viewId: idSchema }),
  output: viewOutput,
  access: showing(onView('view|create', { table: 'update', view: 'none' }), 'view|read'),
  run: async (context) => {
    const { view, userId, now, ids } = context
    const { schema, name, order } = await placeForView(context, view.name)
    const copy = {
      ...view,
      id: ids.next('view'),
      ...{ name, order, isLocked: false, version: 1 },
      ...{ createdBy: userId, createdTime: now, lastModifiedBy: null, lastModifiedTime: null },
    }
    return addView(context, copy, schema)
  },
})
