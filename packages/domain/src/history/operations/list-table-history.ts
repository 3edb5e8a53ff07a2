import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { historyOutput, historyShape, listHistory } from '../list-history.ts'

/** Lists what was changed in the records of a table. */
export const listTableHistory = defineRead({
  summary: 'List the changes of all records of a table',
  input: z.object({ tableId: idSchema, ...historyShape }),
  output: historyOutput,
  access: showing(onTable('table_record_history|read'), 'record|read'),
  needs: ['secrets'],
  run: listHistory,
})
