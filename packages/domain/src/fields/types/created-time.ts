import { z } from 'zod'
import type { Timestamp } from '../../clock.ts'
import { dateFormattingSchema } from '../../values/dates/date-formatting.ts'
import { dateCells } from '../cells/date-cells.ts'
import { fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({
  expression: z
    .literal('CREATED_TIME()')
    .default('CREATED_TIME()')
    .describe('Always the same; may be sent back'),
  formatting: dateFormattingSchema.describe('How times are shown'),
})

/** When the record was created. */
export const createdTime = fieldType<z.output<typeof optionsSchema>, Timestamp>()({
  name: 'createdTime',
  defaultName: () => 'Created Time',
  options: optionsSchema,
  cellValueType: () => 'dateTime',
  dbFieldType: () => 'DATETIME',
  systemColumn: () => 'createdTime',
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: false,
  cells: ({ formatting }) => dateCells(formatting),
})
