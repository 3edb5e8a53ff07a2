import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { changeView } from '../change-view.ts'
import { onChangedView } from '../view-guard.ts'

/** Renames a view. Two views of a table may get one name by that. */
export const renameView = defineWrite({
  summary: 'Rename a view',
  input: z.object({ tableId: idSchema, viewId: idSchema, name: nameSchema }),
  output: noOutput,
  access: onChangedView('view|update'),
  run: (context, { name }) => changeView(context, context.view, { name }),
})
