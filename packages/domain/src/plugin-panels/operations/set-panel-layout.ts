import { z } from 'zod'
import { arrangeBoard } from '../../boards/arrange-board.ts'
import { layoutSchema } from '../../boards/board.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onPanel } from '../panel-guard.ts'
import { panelKind } from '../panel-kind.ts'

/** Replaces the layout of a plugin panel. */
export const setPanelLayout = defineWrite({
  summary: 'Arrange a plugin panel',
  input: z.object({ tableId: idSchema, pluginPanelId: idSchema, layout: layoutSchema }),
  output: z.object({ id: z.string(), layout: layoutSchema }),
  access: onPanel('table|update'),
  run: async (context, { layout }) => {
    const { id, version } = await arrangeBoard(context, panelKind, context.panel, layout)
    return { id, layout, version }
  },
})
