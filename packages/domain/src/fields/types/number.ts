import { z } from 'zod'
import { formatNumber } from '../../values/number-format.ts'
import { numberFormattingSchema } from '../../values/number-formatting.ts'
import { castNumber, toFinite } from '../../values/number-text.ts'
import { Refusal } from '../cell.ts'
import { oneNumber } from '../cell-form.ts'
import { numberShowAsSchema } from '../cells/result-formatting.ts'
import { fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({
  formatting: numberFormattingSchema
    .default({ type: 'decimal', precision: 2 })
    .describe('How numbers are shown'),
  showAs: numberShowAsSchema.optional().describe('Whether they are drawn as a bar or a ring'),
  defaultValue: z.number().optional().describe('What a new record holds'),
})

const refusal = new Refusal('must be a finite number or null')

/** A number, kept as precise as it was sent; the formatting decides how it is shown. */
export const number = fieldType<z.output<typeof optionsSchema>, number>()({
  name: 'number',
  defaultName: () => 'Number',
  options: optionsSchema,
  cellValueType: () => 'number',
  dbFieldType: () => 'REAL',
  canBePrimary: true,
  canBeUnique: true,
  canBeNotNull: true,
  cells: ({ formatting, defaultValue }) => {
    const symbol = formatting.type === 'currency' ? formatting.symbol : ''
    return {
      form: oneNumber(formatting),
      parse: (value) => {
        if (value === null) return null
        return (typeof value === 'number' ? toFinite(value) : undefined) ?? refusal
      },
      cast: (value) => castNumber(value, symbol) ?? null,
      format: (cell) => formatNumber(cell, formatting),
      compare: (a, b) => a - b,
      ...(defaultValue === undefined ? {} : { defaultCell: () => defaultValue + 0 }),
    }
  },
})
