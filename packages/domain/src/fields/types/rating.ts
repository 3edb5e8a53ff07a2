import { z } from 'zod'
import { limits } from '../../limits.ts'
import { castNumber } from '../../values/number-text.ts'
import { Refusal } from '../cell.ts'
import { one } from '../cell-form.ts'
import { fieldType } from '../field-type.ts'

const icons = ['star', 'moon', 'sun', 'zap', 'flame', 'heart', 'apple', 'thumb-up'] as const

const optionsSchema = z.strictObject({
  icon: z.enum(icons).default('star').describe('What is drawn'),
  color: z
    .enum(['yellowBright', 'redBright', 'tealBright'])
    .default('yellowBright')
    .describe('Its colour'),
  max: z.int().min(1).max(limits.ratingMax).default(5).describe('The highest rating'),
})

/** A number of stars, 1 to the field's maximum. */
export const rating = fieldType<z.output<typeof optionsSchema>, number>()({
  name: 'rating',
  defaultName: () => 'Rating',
  options: optionsSchema,
  cellValueType: () => 'number',
  dbFieldType: () => 'REAL',
  cellOptions: ['max'],
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: true,
  cells: ({ max }) => {
    const refusal = new Refusal(`must be a whole number from 1 to ${max}, or null`)
    return {
      form: one('number'),
      parse: (value) => {
        if (value === null) return null
        if (typeof value !== 'number' || !Number.isInteger(value)) return refusal
        return value >= 1 && value <= max ? value : refusal
      },
      cast: (value) => {
        const stars = Math.min(Math.round(castNumber(value) ?? 0), max)
        return stars >= 1 ? stars : null
      },
      format: String,
      compare: (a, b) => a - b,
    }
  },
})
