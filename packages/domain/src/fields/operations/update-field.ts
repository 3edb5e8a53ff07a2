import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { descriptionSchema } from '../../values/names.ts'
import { changeField } from './change-field.ts'
import { dbFieldNameSchema, fieldNameSchema } from './definition/field-definition.ts'
import { onField } from './field-guard.ts'

/** Renames a field or its column, or describes it. A name that is taken is refused, not numbered. */
export const updateField = defineWrite({
  summary: 'Rename or describe a field',
  input: z.object({
    tableId: idSchema,
    fieldId: idSchema,
    name: fieldNameSchema.optional(),
    description: descriptionSchema.optional(),
    dbFieldName: dbFieldNameSchema.optional(),
  }),
  output: noOutput,
  access: onField('field|update', 'update'),
  run: (context, { name, description, dbFieldName }) =>
    changeField(context, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(dbFieldName !== undefined && { dbFieldName }),
    }),
})
