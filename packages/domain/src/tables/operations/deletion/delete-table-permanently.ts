import { z } from 'zod'
import { noOutput } from '../../../answers/no-output.ts'
import { idSchema } from '../../../ids.ts'
import { removeNodeOf } from '../../../tree/remove-node-of.ts'
import { defineWrite } from '../../../use-case.ts'
import { onTableOrTrash } from '../../table-guard.ts'
import { removeTable } from './remove-table.ts'

/** Removes a table for good, with all its records, and its node. It may lie in the trash. */
export const deleteTablePermanently = defineWrite({
  summary: 'Delete a table for good',
  input: z.object({ baseId: idSchema, tableId: idSchema }),
  output: noOutput,
  access: onTableOrTrash('table|delete'),
  run: async (context) => {
    await removeTable(context, context.table)
    await removeNodeOf(context, context.table.id)
  },
})
