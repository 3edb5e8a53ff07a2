import { z } from 'zod'
import { wholeBoardOutput } from '../../boards/board.ts'
import { showBoard } from '../../boards/show-board.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onDashboard } from '../dashboard-guard.ts'

/** Answers one dashboard with its layout and the plugins on it. */
export const getDashboard = defineRead({
  summary: 'Get a dashboard',
  input: z.object({ baseId: idSchema, dashboardId: idSchema }),
  output: wholeBoardOutput,
  access: onDashboard('base|read'),
  needs: ['settings'],
  run: (context) => showBoard(context, context.dashboard),
})
