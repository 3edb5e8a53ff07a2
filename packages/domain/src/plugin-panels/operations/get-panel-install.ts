import { z } from 'zod'
import {
  installOutputShape,
  storageOf,
  storageOutput,
  toInstallOutput,
} from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onPanelInstall } from '../panel-guard.ts'

/** Answers a plugin on a panel with what it keeps there. */
export const getPanelInstall = defineRead({
  summary: 'Get a plugin on a panel',
  input: z.object({ tableId: idSchema, pluginPanelId: idSchema, pluginInstallId: idSchema }),
  output: z.object({
    baseId: z.string(),
    tableId: z.string(),
    ...installOutputShape,
    storage: storageOutput,
  }),
  access: onPanelInstall('table|read'),
  run: async ({ base, install }, { tableId }) => ({
    ...{ baseId: base.id, tableId },
    ...toInstallOutput(install),
    ...storageOf(install),
  }),
})
