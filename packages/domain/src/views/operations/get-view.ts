import { z } from 'zod'
import { mayTake } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { toViewOutput, viewOutput } from '../view.ts'
import { onView } from '../view-guard.ts'

/** Answers one view. */
export const getView = defineRead({
  summary: 'Get a view',
  input: z.object({ tableId: idSchema, viewId: idSchema }),
  output: viewOutput,
  access: onView('view|read'),
  run: async ({ tx, actor, role, table, view }) => {
    const { fields } = await tx.fields.schemaOf(table)
    const fieldIds = fields.map(({ field }) => field.id)
    const share = await tx.viewShares.find(view.id)
    const sharedAs = { share, tellsId: mayTake(actor, role, 'view|share') }
    return { ...toViewOutput(view, fieldIds, sharedAs), version: view.version }
  },
})
