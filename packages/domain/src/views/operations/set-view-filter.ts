import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { filterSchema } from '../../fields/filter.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../change-view.ts'
import { onChangedView } from '../view-guard.ts'
import { toViewFilter } from '../view-query.ts'

/** Sets which records a view shows; null shows them all. */
export const setViewFilter = defineWrite({
  summary: 'Set the filter of a view',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    filter: filterSchema
      .nullable()
      .describe('It names fields by their ids; null shows all records'),
  }),
  output: noOutput,
  access: onChangedView('view|update'),
  run: async (context, { filter: sent }) => {
    const schema = await context.tx.fields.schemaOf(context.table)
    const filter = sent && toViewFilter(sent, { ...context, schema }, ['filter'])
    await changeView(context, context.view, { filter })
  },
})
