import { z } from 'zod'
import { castNumber } from '../../values/number-text.ts'
import { Refusal } from '../cell.ts'
import { one } from '../cell-form.ts'
import { fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({
  expression: z
    .literal('AUTO_NUMBER()')
    .default('AUTO_NUMBER()')
    .describe('Always the same; may be sent back'),
})

const refusal = new Refusal('must be a whole number from 1 on, or null')

/** The number of the record in the order of creation; never used again. */
export const autoNumber = fieldType<z.output<typeof optionsSchema>, number>()({
  name: 'autoNumber',
  defaultName: () => 'ID',
  options: optionsSchema,
  cellValueType: () => 'number',
  dbFieldType: () => 'INTEGER',
  systemColumn: () => 'autoNumber',
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: false,
  cells: () => ({
    form: one('number'),
    parse: (value) => {
      if (value === null) return null
      return isAutoNumber(value) ? value : refusal
    },
    cast: (value) => {
      const number = castNumber(value)
      return isAutoNumber(number) ? number : null
    },
    format: String,
    compare: (a, b) => a - b,
  }),
})

function isAutoNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1
}
