import { z } from 'zod'
import {
  installOutputShape,
  storageOf,
  storageOutput,
  toInstallOutput,
} from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onDashboardInstall } from '../dashboard-guard.ts'

/** Answers a plugin on a dashboard with what it keeps there. */
export const getDashboardInstall = defineRead({
  summary: 'Get a plugin on a dashboard',
  input: z.object({ baseId: idSchema, dashboardId: idSchema, pluginInstallId: idSchema }),
  output: z.object({ baseId: z.string(), ...installOutputShape, storage: storageOutput }),
  access: onDashboardInstall('base|read'),
  run: async ({ install }, { baseId }) => ({
    baseId,
    ...toInstallOutput(install),
    ...storageOf(install),
  }),
})
