import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { nameSchema } from '../names.ts'
import { nothing } from '../nothing.ts'
import { defineWrite } from '../use-case.ts'
import { changeTable } from './change-table.ts'
import { onTableOfBase } from './table-guard.ts'

/** Renames a table. Two tables of a base may have one name. */
export const renameTable = defineWrite({
  summary: 'Rename a table',
  input: z.object({ baseId: idSchema, tableId: idSchema, name: nameSchema }),
  output: nothing,
  access: onTableOfBase('table|update', 'update'),
  run: (context, { name }) => changeTable(context, context.table, { name }),
})
