import { z } from 'zod'
import { toText } from '../../values/text.ts'
import { Refusal } from '../cell.ts'
import { one } from '../cell-form.ts'
import { fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({
  defaultValue: z.boolean().optional().describe('Whether the box of a new record is checked'),
})

const refusal = new Refusal('must be true, false or null')

/** Texts that people write for a box that isn't checked. */
const uncheckedTexts = new Set(['', '0', 'false', 'no', 'off'])

/** A box that is checked or not. Not checked is the empty cell. */
export const checkbox = fieldType<z.output<typeof optionsSchema>, boolean>()({
  name: 'checkbox',
  defaultName: () => 'Done',
  options: optionsSchema,
  cellValueType: () => 'boolean',
  dbFieldType: () => 'BOOLEAN',
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: false,
  cells: ({ defaultValue }) => ({
    form: one('boolean'),
    parse: (value) => {
      if (value === null || value === false) return null
      return value === true ? true : refusal
    },
    cast: (value) => (uncheckedTexts.has(toText(value).trim().toLowerCase()) ? null : true),
    format: () => 'true',
    compare: (a, b) => Number(a) - Number(b),
    ...(defaultValue ? { defaultCell: () => true } : {}),
  }),
})
