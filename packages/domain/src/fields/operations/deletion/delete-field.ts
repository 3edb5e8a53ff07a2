import { z } from 'zod'
import { noOutput } from '../../../answers/no-output.ts'
import { idSchema } from '../../../ids.ts'
import { defineWrite } from '../../../use-case.ts'
import { onField } from '../field-guard.ts'
import { markFieldsDeleted } from './mark-fields-deleted.ts'

/** Moves a field to the table's trash, with its values. */
export const deleteField = defineWrite({
  summary: 'Delete a field',
  input: z.object({ tableId: idSchema, fieldId: idSchema }),
  output: noOutput,
  access: onField('field|delete', 'update'),
  run: async (context) => {
    await markFieldsDeleted(context, [context.field])
  },
})
