import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { noOutput } from '../../no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../change-view.ts'
import { viewSortSchema } from '../view.ts'
import { onChangedView } from '../view-guard.ts'
import { requireFields } from '../view-query.ts'

/** Sets in which order a view shows its records; null leaves them in that of the table. */
export const setViewSort = defineWrite({
  summary: 'Set the sort of a view',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    sort: viewSortSchema
      .nullable()
      .describe('It names fields by their ids; null leaves records in the order of the table'),
  }),
  output: noOutput,
  access: onChangedView('view|update'),
  run: async (context, { sort }) => {
    const schema = await context.tx.fields.schemaOf(context.table)
    if (sort) requireFields(sort.sortObjs, schema, ['sort', 'sortObjs'])
    await changeView(context, context.view, { sort })
  },
})
