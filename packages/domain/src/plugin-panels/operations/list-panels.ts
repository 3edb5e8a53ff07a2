import { z } from 'zod'
import { boardOutput } from '../../boards/board.ts'
import { idSchema } from '../../ids.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'

/** Lists the plugin panels of a table, oldest first. */
export const listPanels = defineRead({
  summary: 'List plugin panels',
  input: z.object({ tableId: idSchema }),
  output: z.array(boardOutput),
  access: onTable('table|read'),
  run: async ({ tx, table }) =>
    (await tx.pluginPanels.listOf(table.id)).map(({ id, name }) => ({ id, name })),
})
