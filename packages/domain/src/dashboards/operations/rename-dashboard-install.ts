import { z } from 'zod'
import { renameInstall } from '../../boards/board-installs.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { dashboardAlone, onDashboardInstall } from '../dashboard-guard.ts'
import { dashboardKind } from '../dashboard-kind.ts'

/** Renames a plugin on a dashboard. */
export const renameDashboardInstall = defineWrite({
  summary: 'Rename a plugin on a dashboard',
  input: z.object({
    baseId: idSchema,
    dashboardId: idSchema,
    pluginInstallId: idSchema,
    name: nameSchema,
  }),
  output: z.object({
    id: z.string().describe('The id of the dashboard'),
    pluginInstallId: z.string(),
    name: z.string(),
  }),
  access: onDashboardInstall('base|update', dashboardAlone),
  run: async (context, { dashboardId, pluginInstallId, name }) => {
    const { dashboard, install } = context
    const { version } = await renameInstall(context, dashboardKind, dashboard, { install, name })
    return { id: dashboardId, pluginInstallId, name, version }
  },
})
