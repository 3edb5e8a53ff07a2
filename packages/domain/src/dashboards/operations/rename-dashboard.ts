import { z } from 'zod'
import { boardOutput, toBoardOutput } from '../../boards/board.ts'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { dashboard } from '../../tree/operations/resources/dashboard.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { dashboardWithTree, onDashboard } from '../dashboard-guard.ts'

/** Renames a dashboard, in the tree too. */
export const renameDashboard = defineWrite({
  summary: 'Rename a dashboard',
  input: z.object({ baseId: idSchema, dashboardId: idSchema, name: nameSchema }),
  output: boardOutput,
  access: onDashboard('base|update', dashboardWithTree),
  run: async (context, { dashboardId, name }) => {
    const { tx } = context
    const node = await tx.nodes.findOf(dashboardId)
    assert(node, `the node of the dashboard ${dashboardId} is there`)
    await dashboard.change(context, node, { name })
    const renamed = await tx.dashboards.find(dashboardId)
    assert(renamed, 'the dashboard that was renamed is there')
    return toBoardOutput(renamed)
  },
})
