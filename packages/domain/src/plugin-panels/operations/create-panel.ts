import { z } from 'zod'
import { boardOutput, toBoardOutput } from '../../boards/board.ts'
import { idSchema } from '../../ids.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { addPanel } from './add-panel.ts'

/** Creates a plugin panel of a table, with nothing on it. Names may repeat. */
export const createPanel = defineWrite({
  summary: 'Create a plugin panel',
  input: z.object({ tableId: idSchema, name: nameSchema }),
  output: boardOutput,
  access: onTable('table|update', 'update'),
  run: async (context, { name }) => {
    const id = context.ids.next('pluginPanel')
    return toBoardOutput(await addPanel(context, { id, name, layout: null }))
  },
})
