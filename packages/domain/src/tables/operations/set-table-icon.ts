import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { iconSchema } from '../../values/names.ts'
import { onTableOfBase } from '../table-guard.ts'
import { changeTable } from './change-table.ts'

/** Gives a table an icon, or takes it away. */
export const setTableIcon = defineWrite({
  summary: 'Set the icon of a table',
  input: z.object({ baseId: idSchema, tableId: idSchema, icon: iconSchema.nullable() }),
  output: noOutput,
  access: onTableOfBase('table|update', 'update'),
  run: (context, { icon }) => changeTable(context, context.table, { icon }),
})
