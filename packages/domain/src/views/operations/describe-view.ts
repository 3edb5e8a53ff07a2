import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { descriptionSchema } from '../../values/names.ts'
import { changeView } from '../change-view.ts'
import { onChangedView } from '../view-guard.ts'

/** Sets or clears the description of a view. */
export const describeView = defineWrite({
  summary: 'Describe a view',
  input: z.object({ tableId: idSchema, viewId: idSchema, description: descriptionSchema }),
  output: noOutput,
  access: onChangedView('view|update'),
  run: (context, { description }) => changeView(context, context.view, { description }),
})
