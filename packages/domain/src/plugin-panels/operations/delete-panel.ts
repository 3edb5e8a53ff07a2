import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onPanel } from '../panel-guard.ts'
import { emitPanel } from '../panel-kind.ts'

/** Removes a plugin panel with all that is on it, for good. */
export const deletePanel = defineWrite({
  summary: 'Delete a plugin panel',
  input: z.object({ tableId: idSchema, pluginPanelId: idSchema }),
  output: noOutput,
  access: onPanel('table|update'),
  run: async (context, { pluginPanelId }) => {
    const { tx, panel } = context
    await tx.pluginInstalls.deleteAt(pluginPanelId)
    await tx.pluginPanels.delete(pluginPanelId)
    emitPanel(context, 'plugin_panel.deleted', panel)
  },
})
