import { z } from 'zod'
import { saveInstall } from '../../boards/board-installs.ts'
import { storageInput, storageOf, storageOutput } from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { onStorage } from '../../plugin-installs/storage-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { onPanelInstall } from '../panel-guard.ts'

/** Replaces what a plugin on a panel keeps. */
export const setPanelStorage = defineWrite({
  summary: 'Replace what a plugin on a panel stores',
  input: z.object({
    tableId: idSchema,
    pluginPanelId: idSchema,
    pluginInstallId: idSchema,
    storage: storageInput,
  }),
  output: z.object({
    tableId: z.string(),
    pluginPanelId: z.string(),
    pluginInstallId: z.string(),
    storage: storageOutput,
  }),
  access: onStorage(onPanelInstall('table|update')),
  run: async (context, { storage, ...place }) => {
    const install = await saveInstall(context, { ...context.install, storage })
    return { ...place, ...storageOf(install), version: install.version }
  },
})
