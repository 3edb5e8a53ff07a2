import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onChangedView } from '../view-guard.ts'
import { markViewDeleted } from './mark-view-deleted.ts'

/** Moves a view to the trash of its table; the last one, too. */
export const deleteView = defineWrite({
  summary: 'Delete a view',
  input: z.object({ tableId: idSchema, viewId: idSchema }),
  output: noOutput,
  access: onChangedView('view|delete', 'update'),
  run: async (context) => {
    await markViewDeleted(context, context.view)
  },
})
