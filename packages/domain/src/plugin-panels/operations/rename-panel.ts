import { z } from 'zod'
import { boardOutput, toBoardOutput } from '../../boards/board.ts'
import { saveBoard } from '../../boards/board-kind.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { onPanel } from '../panel-guard.ts'
import { panelKind } from '../panel-kind.ts'

/** Renames a plugin panel. */
export const renamePanel = defineWrite({
  summary: 'Rename a plugin panel',
  input: z.object({ tableId: idSchema, pluginPanelId: idSchema, name: nameSchema }),
  output: boardOutput,
  access: onPanel('table|update'),
  run: async (context, { name }) => {
    const { panel } = context
    if (name === panel.name) return toBoardOutput(panel)
    return toBoardOutput(await saveBoard(context, panelKind, { ...panel, name }))
  },
})
