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

/** A cell holds one line: a run of line breaks and tabs becomes a space, the ends are trimmed. */
function toLine(text: string): string | null {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ').trim() || null
}

/** One line of text. */
export const singleLineText = fieldType<z.output<typeof optionsSchema>, string>()({
  name: 'singleLineText',
  defaultName: () => 'Label',
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
      return isStorable(value) ? toLine(value) : unstorable
    },
    cast: (value) => toLine(toStorable(toText(value))),
    format: (cell) => cell,
    compare: compareText,
    ...(defaultValue === undefined ? {} : { defaultCell: () => toLine(defaultValue) }),
  }),
})
