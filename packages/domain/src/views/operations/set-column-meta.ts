import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../change-view.ts'
import { changeColumns, columnInput } from '../column-meta.ts'
import { onChangedView } from '../view-guard.ts'

/** Sets how a view shows fields: what is left out of one stays, null is taken away. */
export const setColumnMeta = defineWrite({
  summary: 'Set how a view shows fields',
  input: z.object({
    tableId: idSchema,
    viewId: idSchema,
    columnMeta: z
      .array(z.object({ fieldId: idSchema, columnMeta: columnInput }))
      .min(1)
      .max(limits.fieldsPerTable)
      .describe('The fields, each with what is set of it'),
  }),
  output: noOutput,
  access: onChangedView('view|update'),
  run: async (context, { columnMeta: sent }) => {
    const { tx, table, view } = context
    const schema = await tx.fields.schemaOf(table)
    const changes = sent.map(({ fieldId, columnMeta: settings }, index) => ({
      fieldId,
      settings,
      paths: {
        fieldId: ['columnMeta', index, 'fieldId'],
        settings: ['columnMeta', index, 'columnMeta'],
      },
    }))
    await changeView(context, view, { columnMeta: changeColumns(view, changes, schema) })
  },
})
