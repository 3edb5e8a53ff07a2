import { z } from 'zod'
import { limits } from '../../limits.ts'
import { isStorable, storableTextUpTo, toStorable } from '../../values/storable-text.ts'
import { compareText, toText } from '../../values/text.ts'
import { Refusal } from '../cell.ts'
import { textShowAsSchema } from '../cells/text-show-as.ts'
import { fieldType } from '../field-type.ts'
import { filterOperators } from '../filter-operators.ts'

const optionsSchema = z.strictObject({
  showAs: textShowAsSchema
    .optional()
    .describe('Whether it is drawn as an address, e-mail address or telephone number'),
  defaultValue: storableTextUpTo(limits.defaultTextLength)
    .optional()
    .describe('What a new record holds'),
})

const refusal = new Refusal('must be text or null')
const unstorable = new Refusal('must be well-formed Unicode without the character U+0000')

/** Text of any number of lines, kept as it was sent. */
export const longText = fieldType<z.output<typeof optionsSchema>, string>()({
  name: 'longText',
  defaultName: () => 'Notes',
  options: optionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'TEXT',
  canBePrimary: true,
  canBeUnique: true,
  canBeNotNull: true,
  filterOperators: () => filterOperators.text,
  cells: ({ defaultValue }) => ({
    parse: (value) => {
      if (value === null) return null
      if (typeof value !== 'string') return refusal
      return isStorable(value) ? value || null : unstorable
    },
    cast: (value) => toStorable(toText(value)) || null,
    format: (cell) => cell,
    compare: compareText,
    ...(defaultValue === undefined ? {} : { defaultCell: () => defaultValue || null }),
  }),
})
