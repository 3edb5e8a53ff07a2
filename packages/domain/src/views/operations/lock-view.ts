import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../change-view.ts'
import { onLockedView } from '../view-guard.ts'

/** Locks a view, so that it stays as it is, or unlocks it. */
export const lockView = defineWrite({
  summary: 'Lock or unlock a view',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    isLocked: z
      .boolean()
      .optional()
      .describe('Whether it stays as it is from now on; no change if left out'),
  }),
  output: noOutput,
  access: onLockedView(),
  run: async (context, { isLocked }) => {
    if (isLocked !== undefined) await changeView(context, context.view, { isLocked })
  },
})
