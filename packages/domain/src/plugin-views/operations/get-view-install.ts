import { z } from 'zod'
import {
  installOutputShape,
  storageOf,
  storageOutput,
  toInstallOutput,
} from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { pageFor } from '../../plugin-installs/page-for.ts'
import { findPlugin } from '../../plugins/find-plugin.ts'
import { defineRead } from '../../use-case.ts'
import { onViewInstall } from '../view-install-guard.ts'

/** Answers the plugin of a view with what it keeps there. */
export const getViewInstall = defineRead({
  summary: 'Get the plugin of a view',
  input: z.object({ tableId: idSchema, viewId: idSchema }),
  output: z.object({
    baseId: z.string(),
    ...installOutputShape,
    url: z.string().optional().describe('The page of the plugin, where it has one'),
    storage: storageOutput,
  }),
  access: onViewInstall(),
  needs: ['settings'],
  run: async ({ tx, base, view, install, settings }) => {
    const { url } = pageFor(await findPlugin(tx, install.pluginId), install, settings)
    return {
      baseId: base.id,
      ...toInstallOutput(install),
      name: view.name,
      ...(url !== undefined && { url }),
      ...storageOf(install),
    }
  },
})
