import { z } from 'zod'
import { saveInstall } from '../../boards/board-installs.ts'
import { storageInput, storageOf, storageOutput } from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { onStorage } from '../../plugin-installs/storage-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { dashboardAlone, onDashboardInstall } from '../dashboard-guard.ts'

/** Replaces what a plugin on a dashboard keeps. */
export const setDashboardStorage = defineWrite({
  summary: 'Replace what a plugin on a dashboard stores',
  input: z.object({
    baseId: idSchema,
    dashboardId: idSchema,
    pluginInstallId: idSchema,
    storage: storageInput,
  }),
  output: z.object({
    baseId: z.string(),
    dashboardId: z.string(),
    pluginInstallId: z.string(),
    storage: storageOutput,
  }),
  access: onStorage(onDashboardInstall('base|update', dashboardAlone)),
  run: async (context, { storage, ...place }) => {
    const install = await saveInstall(context, { ...context.install, storage })
    return { ...place, ...storageOf(install), version: install.version }
  },
})
