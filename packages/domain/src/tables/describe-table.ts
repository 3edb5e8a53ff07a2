import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { descriptionSchema } from '../names.ts'
import { nothing } from '../nothing.ts'
import { defineWrite } from '../use-case.ts'
import { changeTable } from './change-table.ts'
import { onTableOfBase } from './table-guard.ts'

/** Describes a table, or takes the description away. */
export const describeTable = defineWrite({
  summary: 'Describe a table',
  input: z.object({ baseId: idSchema, tableId: idSchema, description: descriptionSchema }),
  output: nothing,
  access: onTableOfBase('table|update', 'update'),
  run: (context, { description }) => changeTable(context, context.table, { description }),
})
