import { z } from 'zod'
import { installOn } from '../../boards/board-installs.ts'
import { installOutputShape, toInstallOutput } from '../../boards/install-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { onPanel } from '../panel-guard.ts'
import { panelKind } from '../panel-kind.ts'

/** Puts a plugin on a panel, below all others. */
export const installOnPanel = defineWrite({
  summary: 'Install a plugin on a panel',
  input: z.object({
    tableId: idSchema,
    pluginPanelId: idSchema,
    name: nameSchema.optional().describe('The name of the plugin if left out'),
    pluginId: idSchema.describe('A published plugin that is made for panels, or one of yours'),
  }),
  output: z.object(installOutputShape),
  access: onPanel('table|update'),
  run: async (context, { name, pluginId }) =>
    toInstallOutput(await installOn(context, panelKind, context.panel, { name, pluginId })),
})
