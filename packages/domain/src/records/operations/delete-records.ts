import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { removeRecords } from '../deletion/remove-records.ts'
import { onWrittenTable } from '../record-guard.ts'

/** Moves records to the table's trash in one operation: all of them, or none when one is not there. */
export const deleteRecords = defineWrite({
  summary: 'Delete records',
  input: z.object({
    tableId: idSchema,
    recordIds: z
      .array(idSchema)
      .min(1)
      .max(limits.recordsPerDelete)
      .describe('The records to delete'),
  }),
  output: noOutput,
  access: onWrittenTable('record|delete'),
  matchesEach: true,
  run: async (context, { recordIds }) => {
    await removeRecords(context, recordIds, ['recordIds'])
  },
})
