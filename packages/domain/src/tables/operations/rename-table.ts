import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { onTableOfBase } from '../table-guard.ts'
import { changeTable } from './change-table.ts'

/** Renames a table. Two tables of a base may have one name. */
export const renameTable = defineWrite({
  summary: 'Rename a table',
  input: z.object({ baseId: idSchema, tableId: idSchema, name: nameSchema }),
  output: noOutput,
  access: onTableOfBase('table|update', 'update'),
  run: (context, { name }) => changeTable(context, context.table, { name }),
})
