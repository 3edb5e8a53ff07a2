import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { changeView } from '../change-view.ts'
import { onChangedView } from '../view-guard.ts'
import { changeOptions, viewOptionsInput } from '../view-options.ts'

/** Sets options of a view, those that its kind has: what is left out stays, null is taken away. */
export const setViewOptions = defineWrite({
  summary: 'Set options of a view',
  input: z.object({ tableId: idSchema, viewId: idSchema, options: viewOptionsInput }),
  output: noOutput,
  access: onChangedView('view|update'),
  run: async (context, { options: sent }) => {
    const { tx, table, view } = context
    const schema = await tx.fields.schemaOf(table)
    const options = changeOptions(view, sent, schema, ['options'])
    await changeView(context, view, { options })
  },
})
