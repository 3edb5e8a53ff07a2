import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { dashboard } from '../../tree/operations/resources/dashboard.ts'
import { removeNodeOf } from '../../tree/remove-node-of.ts'
import { defineWrite } from '../../use-case.ts'
import { dashboardWithTree, onDashboard } from '../dashboard-guard.ts'

/** Moves a dashboard to the base's trash, with its node in the tree. */
export const deleteDashboard = defineWrite({
  summary: 'Delete a dashboard',
  input: z.object({ baseId: idSchema, dashboardId: idSchema }),
  output: noOutput,
  access: onDashboard('base|update', dashboardWithTree),
  run: async (context, { dashboardId }) => {
    const { now: time, userId, ids } = context
    const deletion = { operationId: ids.next('operation'), time, userId }
    await dashboard.markDeleted(context, dashboardId, deletion)
    await removeNodeOf(context, dashboardId, deletion)
  },
})
