import { z } from 'zod'
import { wholeBoardOutput } from '../../boards/board.ts'
import { showBoard } from '../../boards/show-board.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onPanel } from '../panel-guard.ts'

/** Answers one plugin panel with its layout and the plugins on it. */
export const getPanel = defineRead({
  summary: 'Get a plugin panel',
  input: z.object({ tableId: idSchema, pluginPanelId: idSchema }),
  output: wholeBoardOutput,
  access: onPanel('table|read'),
  needs: ['settings'],
  run: (context) => showBoard(context, context.panel),
})
