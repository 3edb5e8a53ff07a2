import { z } from 'zod'
import { installOn } from '../../boards/board-installs.ts'
import { installOutputShape, toInstallOutput } from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { dashboardAlone, onDashboard } from '../dashboard-guard.ts'
import { dashboardKind } from '../dashboard-kind.ts'

/** Puts a plugin on a dashboard, behind all others. */
export const installOnDashboard = defineWrite({
  summary: 'Install a plugin on a dashboard',
  input: z.object({
    baseId: idSchema,
    dashboardId: idSchema,
    name: nameSchema,
    pluginId: idSchema.describe('A published plugin that is made for dashboards, or one of yours'),
  }),
  output: z.object({ id: z.string().describe('The id of the dashboard'), ...installOutputShape }),
  access: onDashboard('base|update', dashboardAlone),
  run: async (context, { dashboardId, name, pluginId }) => {
    const what = { name, pluginId }
    const install = await installOn(context, dashboardKind, context.dashboard, what)
    return { id: dashboardId, ...toInstallOutput(install) }
  },
})
