import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { boardOutput, toBoardOutput } from '../../boards/board.ts'
import { copyInstalls, copyLayout, nameCopiesOf } from '../../boards/copy-board.ts'
import { idSchema } from '../../ids.ts'
import { addInstalls } from '../../plugin-installs/add-installs.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema, toFreeName } from '../../values/names.ts'
import { onPanel } from '../panel-guard.ts'
import { addPanel } from './add-panel.ts'

/** Copies a plugin panel with all that is on it. */
export const duplicatePanel = defineWrite({
  summary: 'Duplicate a plugin panel',
  input: z.object({
    tableId: idSchema,
    pluginPanelId: idSchema,
    name: nameSchema.optional().describe('The name of the original, numbered, if left out'),
  }),
  output: boardOutput,
  access: showing(onPanel('table|update', 'update'), 'table|read'),
  run: async (context, { tableId, name: wanted }) => {
    const { tx, panel, base, ids } = context
    const names = new Set((await tx.pluginPanels.listOf(tableId)).map(({ name }) => name))
    const name = wanted ?? toFreeName(panel.name, (candidate) => names.has(candidate))
    const id = ids.next('pluginPanel')
    const idByOriginal = new Map([
      [panel.id, id],
      [tableId, tableId],
    ])
    const originals = await tx.pluginInstalls.heldAt(panel.id)
    nameCopiesOf(context, originals, idByOriginal)
    const installs = copyInstalls(context, originals, base.id, idByOriginal)
    const copy = await addPanel(context, { id, name, layout: copyLayout(panel, idByOriginal) })
    await addInstalls(tx, installs)
    return toBoardOutput(copy)
  },
})
