import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { uninstall } from '../../boards/board-installs.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { dashboardAlone, onDashboardInstall } from '../dashboard-guard.ts'
import { dashboardKind } from '../dashboard-kind.ts'

/** Takes a plugin from a dashboard, for good, and from its layout. */
export const uninstallFromDashboard = defineWrite({
  summary: 'Remove a plugin from a dashboard',
  input: z.object({ baseId: idSchema, dashboardId: idSchema, pluginInstallId: idSchema }),
  output: noOutput,
  access: onDashboardInstall('base|update', dashboardAlone),
  run: (context) => uninstall(context, dashboardKind, context.dashboard, context.install),
})
