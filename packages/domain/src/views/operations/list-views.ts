import { z } from 'zod'
import { mayTake } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { toViewOutput, viewOutput } from '../view.ts'

/** Lists the views of a table in their order. */
export const listViews = defineRead({
  summary: 'List views',
  input: z.object({ tableId: idSchema }),
  output: z.array(viewOutput),
  access: onTable('view|read'),
  run: async ({ tx, actor, role, table }) => {
    const { fields } = await tx.fields.schemaOf(table)
    const fieldIds = fields.map(({ field }) => field.id)
    const shares = await tx.viewShares.listOf(table.id)
    const byView = new Map(shares.map((share) => [share.viewId, share]))
    const tellsId = mayTake(actor, role, 'view|share')
    return (await tx.views.listOf(table.id)).map((view) =>
      toViewOutput(view, fieldIds, { share: byView.get(view.id), tellsId }),
    )
  },
})
