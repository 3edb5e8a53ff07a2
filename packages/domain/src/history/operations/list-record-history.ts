import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { onRecord } from '../../records/record-guard.ts'
import { defineRead } from '../../use-case.ts'
import { historyOutput, historyShape, listHistory } from '../list-history.ts'

/** Lists what was changed in a record. */
export const listRecordHistory = defineRead({
  summary: 'List the changes of a record',
  input: z.object({ tableId: idSchema, recordId: idSchema, ...historyShape }),
  output: historyOutput,
  access: showing(onRecord('table_record_history|read'), 'record|read'),
  needs: ['secrets'],
  run: (context, part) => listHistory(context, part, context.record),
})
