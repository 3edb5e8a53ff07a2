import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { groupSchema } from '../../queries/sort.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../change-view.ts'
import { onChangedView } from '../view-guard.ts'
import { requireFields } from '../view-query.ts'

/** Sets by which fields a view groups its records; null groups them by none. */
export const setViewGroup = defineWrite({
  summary: 'Set the groups of a view',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    group: groupSchema
      .nullable()
      .describe('The fields by their ids, the outermost first; null groups by none'),
  }),
  output: noOutput,
  access: onChangedView('view|update'),
  run: async (context, { group }) => {
    const schema = await context.tx.fields.schemaOf(context.table)
    if (group) requireFields(group, schema, ['group'])
    await changeView(context, context.view, { group })
  },
})
