import { z } from 'zod'
import { arrangeBoard } from '../../boards/arrange-board.ts'
import { layoutSchema } from '../../boards/board.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { dashboardAlone, onDashboard } from '../dashboard-guard.ts'
import { dashboardKind } from '../dashboard-kind.ts'

/** Replaces the layout of a dashboard. */
export const setDashboardLayout = defineWrite({
  summary: 'Arrange a dashboard',
  input: z.object({ baseId: idSchema, dashboardId: idSchema, layout: layoutSchema }),
  output: z.object({ id: z.string(), layout: layoutSchema }),
  access: onDashboard('base|update', dashboardAlone),
  run: async (context, { layout }) => {
    const { id, version } = await arrangeBoard(context, dashboardKind, context.dashboard, layout)
    return { id, layout, version }
  },
})
