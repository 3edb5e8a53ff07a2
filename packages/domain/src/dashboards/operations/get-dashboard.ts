import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { dashboardOutput, toDashboardOutput } from '../dashboard.ts'
import { onDashboard } from '../dashboard-guard.ts'

/** Answers one dashboard. */
export const getDashboard = defineRead({
  summary: 'Get a dashboard',
  input: z.object({ baseId: idSchema, dashboardId: idSchema }),
  output: dashboardOutput,
  access: onDashboard('base|read'),
  run: async ({ dashboard }) => toDashboardOutput(dashboard),
})
