import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { markRecordsDeleted } from '../deletion/mark-records-deleted.ts'
import { onRecord } from '../record-guard.ts'

/** Moves a record to the table's trash. */
export const deleteRecord = defineWrite({
  summary: 'Delete a record',
  input: z.object({ tableId: idSchema, recordId: idSchema }),
  output: noOutput,
  access: onRecord('record|delete', 'update'),
  run: async (context) => {
    await markRecordsDeleted(context, [context.record.id])
  },
})
