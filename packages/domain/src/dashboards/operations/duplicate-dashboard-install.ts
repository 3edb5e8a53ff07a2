import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { duplicateInstall } from '../../boards/board-installs.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { dashboardAlone, onDashboardInstall } from '../dashboard-guard.ts'
import { dashboardKind } from '../dashboard-kind.ts'

/** Copies a plugin on a dashboard, with what it keeps. */
export const duplicateDashboardInstall = defineWrite({
  summary: 'Duplicate a plugin on a dashboard',
  input: z.object({
    baseId: idSchema,
    dashboardId: idSchema,
    pluginInstallId: idSchema,
    name: nameSchema.optional().describe('The name of the original, numbered, if left out'),
  }),
  output: z.object({ id: z.string().describe('The id of the new install'), name: z.string() }),
  access: showing(onDashboardInstall('base|update', dashboardAlone), 'base|read'),
  run: async (context, { name: wanted }) => {
    const { dashboard, install } = context
    const options = { install, name: wanted }
    const copy = await duplicateInstall(context, dashboardKind, dashboard, options)
    return { id: copy.id, name: copy.name, version: copy.version }
  },
})
