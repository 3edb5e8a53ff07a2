import { z } from 'zod'
import { saveInstall } from '../../boards/board-installs.ts'
import { storageInput, storageOf, storageOutput } from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { onStorage } from '../../plugin-installs/storage-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { onChangedViewInstall } from '../view-install-guard.ts'

/** Replaces what the plugin of a view keeps. */
export const setViewStorage = defineWrite({
  summary: 'Replace what the plugin of a view stores',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    pluginInstallId: idSchema,
    storage: storageInput,
  }),
  output: z.object({
    tableId: z.string(),
    viewId: z.string(),
    pluginInstallId: z.string(),
    storage: storageOutput,
  }),
  access: onStorage(onChangedViewInstall()),
  run: async (context, { storage, ...place }) => {
    const install = await saveInstall(context, { ...context.install, storage })
    return { ...place, ...storageOf(install), version: install.version }
  },
})
