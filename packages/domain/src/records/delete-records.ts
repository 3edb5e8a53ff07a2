import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import { nothing } from '../nothing.ts'
import { defineWrite } from '../use-case.ts'
import { holdRecords } from './hold-records.ts'
import { markRecordsDeleted } from './mark-records-deleted.ts'
import { onWrittenTable } from './record-guard.ts'

/** Moves records to the table's trash in one operation: all of them, or none when one is not there. */
export const deleteRecords = defineWrite({
  summary: 'Delete records',
  input: z.object({
    tableId: idSchema,
    recordIds: z.array(idSchema).min(1).max(limits.recordsPerDelete),
  }),
  output: nothing,
  access: onWrittenTable('record|delete'),
  run: async (context, input) => {
    const recordIds = [...new Set(input.recordIds)]
    await holdRecords(context, recordIds, [])
    await markRecordsDeleted(context, recordIds)
  },
})
