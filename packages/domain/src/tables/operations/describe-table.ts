import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { descriptionSchema } from '../../values/names.ts'
import { onTableOfBase } from '../table-guard.ts'
import { changeTable } from './change-table.ts'

/** Describes a table, or takes the description away. */
export const describeTable = defineWrite({
  summary: 'Describe a table',
  input: z.object({ baseId: idSchema, tableId: idSchema, description: descriptionSchema }),
  output: noOutput,
  access: onTableOfBase('table|update', 'update'),
  run: (context, { description }) => changeTable(context, context.table, { description }),
})
