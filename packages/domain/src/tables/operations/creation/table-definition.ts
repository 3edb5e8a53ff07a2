import { z } from 'zod'
import type { FieldDefinition } from '../../../fields/operations/definition/field-definition.ts'
import { fieldInput } from '../../../fields/operations/definition/field-input.ts'
import { limits } from '../../../limits.ts'
import { fieldValuesSchema } from '../../../records/input/record-input.ts'
import { fieldKeyTypes } from '../../../schemas/table-schema.ts'
import { descriptionSchema, iconSchema, nameSchema } from '../../../values/names.ts'
import { type ViewDefinition, viewDefinitionSchema } from '../../../views/view-definition.ts'
import { dbTableNameSchema } from '../../db-table-name.ts'

/** What a caller says about a table to be made; each absent member gets its default. */
export const tableDefinitionSchema = z.object({
  name: nameSchema.optional(),
  dbTableName: dbTableNameSchema.optional(),
  description: descriptionSchema.optional(),
  icon: iconSchema.nullable().optional(),
  fields: z.array(fieldInput).min(1).max(limits.fieldsPerTable).optional(),
  views: z.array(viewDefinitionSchema).min(1).max(limits.viewsPerTable).optional(),
  records: z
    .array(z.object({ fields: fieldValuesSchema }))
    .max(limits.recordsPerMutation)
    .optional(),
  fieldKeyType: z.enum(fieldKeyTypes).optional(),
  order: z
    .number()
    .min(-limits.nodeOrder)
    .max(limits.nodeOrder)
    .optional()
    .describe('Where its node stands among those of its folder; last where it is left out'),
})
export type TableDefinition = z.output<typeof tableDefinitionSchema>

/** The fields of a table whose maker names none. */
export const defaultFields: readonly FieldDefinition[] = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Count', type: 'number' },
  {
    name: 'Status',
    type: 'singleSelect',
    options: {
      choices: [
        { name: 'light', color: 'grayBright' },
        { name: 'medium', color: 'yellowBright' },
        { name: 'heavy', color: 'tealBright' },
      ],
    },
  },
]

export const defaultViews: readonly ViewDefinition[] = [{ type: 'grid', name: 'Grid view' }]

/** Empty records to begin with. */
export const defaultRecords = [{ fields: {} }, { fields: {} }, { fields: {} }]

export const defaultTableName = 'New table'
