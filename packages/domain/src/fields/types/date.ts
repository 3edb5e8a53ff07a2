import { z } from 'zod'
import type { Timestamp } from '../../clock.ts'
import { dateFormattingSchema } from '../../values/dates/date-formatting.ts'
import { dateCells } from '../cells/date-cells.ts'
import { fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({
  formatting: dateFormattingSchema.describe(
    'How dates are shown, and by which clocks they are read',
  ),
  defaultValue: z
    .literal('now')
    .optional()
    .describe('With `now`, a new record holds the time at which it is made'),
})

/** A moment; shown as a day, or with its time, in the time zone of the field. */
export const date = fieldType<z.output<typeof optionsSchema>, Timestamp>()({
  name: 'date',
  defaultName: () => 'Date',
  options: optionsSchema,
  cellValueType: () => 'dateTime',
  dbFieldType: () => 'DATETIME',
  canBePrimary: true,
  canBeUnique: true,
  canBeNotNull: true,
  cells: ({ formatting, defaultValue }) => ({
    ...dateCells(formatting),
    ...(defaultValue === undefined ? {} : { defaultCell: ({ now }) => now }),
  }),
})
