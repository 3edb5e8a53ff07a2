import { z } from 'zod'
import { noOutput } from '../../../answers/no-output.ts'
import { idSchema } from '../../../ids.ts'
import { removeNodeOf } from '../../../tree/remove-node-of.ts'
import { defineWrite } from '../../../use-case.ts'
import { onTableOfBase } from '../../table-guard.ts'
import { markTableDeleted } from './remove-table.ts'

/** Moves a table to the base's trash, with its node in the tree. */
export const deleteTable = defineWrite({
  summary: 'Delete a table',
  input: z.object({ baseId: idSchema, tableId: idSchema }),
  output: noOutput,
  access: onTableOfBase('table|delete', 'update'),
  run: async (context) => {
    const { now: time, userId, ids, table } = context
    const deletion = { operationId: ids.next('operation'), time, userId }
    await markTableDeleted(context, table, deletion)
    await removeNodeOf(context, table.id, deletion)
  },
})
