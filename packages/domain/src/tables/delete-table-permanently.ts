import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { nothing } from '../nothing.ts'
import { removeNodeOf } from '../tree/remove-node-of.ts'
import { defineWrite } from '../use-case.ts'
import { removeTable } from './remove-table.ts'
import { onTableOfBase } from './table-guard.ts'

/** Removes a table for good, with all its records, and its node. */
export const deleteTablePermanently = defineWrite({
  summary: 'Delete a table for good',
  input: z.object({ baseId: idSchema, tableId: idSchema }),
  output: nothing,
  access: onTableOfBase('table|delete', 'update'),
  run: async (context) => {
    await removeTable(context, context.table)
    await removeNodeOf(context, context.table.id)
  },
})
