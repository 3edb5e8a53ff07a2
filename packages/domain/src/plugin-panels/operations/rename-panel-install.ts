import { z } from 'zod'
import { renameInstall } from '../../boards/board-installs.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { onPanelInstall } from '../panel-guard.ts'
import { panelKind } from '../panel-kind.ts'

/** Renames a plugin on a panel. */
export const renamePanelInstall = defineWrite({
  summary: 'Rename a plugin on a panel',
  input: z.object({
    tableId: idSchema,
    pluginPanelId: idSchema,
    pluginInstallId: idSchema,
    name: nameSchema,
  }),
  output: z.object({ id: z.string().describe('The id of the install'), name: z.string() }),
  access: onPanelInstall('table|update'),
  run: async (context, { name: wanted }) => {
    const { panel, install } = context
    const options = { install, name: wanted }
    const { id, name, version } = await renameInstall(context, panelKind, panel, options)
    return { id, name, version }
  },
})
