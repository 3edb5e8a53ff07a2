import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { defineRead } from '../use-case.ts'
import { fieldView, toFieldView } from './field.ts'
import { onField } from './field-guard.ts'

/** Answers one field. */
export const getField = defineRead({
  summary: 'Get a field',
  input: z.object({ tableId: idSchema, fieldId: idSchema }),
  output: fieldView,
  access: onField('field|read'),
  run: async ({ field }) => ({ ...toFieldView(field), version: field.version }),
})
