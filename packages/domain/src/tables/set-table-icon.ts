import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { iconSchema } from '../names.ts'
import { nothing } from '../nothing.ts'
import { defineWrite } from '../use-case.ts'
import { changeTable } from './change-table.ts'
import { onTableOfBase } from './table-guard.ts'

/** Gives a table an icon, or takes it away. */
export const setTableIcon = defineWrite({
  summary: 'Set the icon of a table',
  input: z.object({ baseId: idSchema, tableId: idSchema, icon: iconSchema.nullable() }),
  output: nothing,
  access: onTableOfBase('table|update', 'update'),
  run: (context, { icon }) => changeTable(context, context.table, { icon }),
})
