import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { nothing } from '../nothing.ts'
import { defineWrite } from '../use-case.ts'
import { markRecordsDeleted } from './mark-records-deleted.ts'
import { onRecord } from './record-guard.ts'

/** Moves a record to the table's trash. */
export const deleteRecord = defineWrite({
  summary: 'Delete a record',
  input: z.object({ tableId: idSchema, recordId: idSchema }),
  output: nothing,
  access: onRecord('record|delete', 'update'),
  run: (context) => markRecordsDeleted(context, [context.record.id]),
})
