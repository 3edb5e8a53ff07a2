import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { duplicateInstall } from '../../boards/board-installs.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { onPanelInstall } from '../panel-guard.ts'
import { panelKind } from '../panel-kind.ts'

/** Copies a plugin on a panel, with what it keeps. */
export const duplicatePanelInstall = defineWrite({
  summary: 'Duplicate a plugin on a panel',
  input: z.object({
    tableId: idSchema,
    pluginPanelId: idSchema,
    pluginInstallId: idSchema,
    name: nameSchema.optional().describe('The name of the original, numbered, if left out'),
  }),
  output: z.object({ id: z.string().describe('The id of the new install'), name: z.string() }),
  access: showing(onPanelInstall('table|update'), 'table|read'),
  run: async (context, { name: wanted }) => {
    const { panel, install } = context
    const options = { install, name: wanted }
    const { id, name, version } = await duplicateInstall(context, panelKind, panel, options)
    return { id, name, version }
  },
})
