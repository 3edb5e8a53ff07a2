import { z } from 'zod'
import { limits } from '../../limits.ts'
import { isStorable, storableTextUpTo, toStorable } from '../../values/storable-text.ts'
import { compareText, toText } from '../../values/text.ts'
import { type CellRules, Refusal } from '../cell.ts'
import { one } from '../cell-form.ts'
import { textShowAsSchema } from './text-show-as.ts'

/** The options of fields whose cells are plain text. */
export const textOptionsSchema = z.strictObject({
  showAs: textShowAsSchema
    .optional()
    .describe('Whether it is drawn as an address, e-mail address or telephone number'),
  defaultValue: storableTextUpTo(limits.defaultTextLength)
    .optional()
    .describe('What a new record holds'),
})

/** Options of fields whose cells are plain text, as stored. */
export type TextOptions = z.output<typeof textOptionsSchema>

const refusal = new Refusal('must be text or null')
const unstorable = new Refusal('must be well-formed Unicode without the character U+0000')

/** The rules of cells that hold a text as `toCell` makes it of one that can be stored; null where nothing is left. */
export function textCells(
  { defaultValue }: TextOptions,
  toCell: (text: string) => string | null,
): CellRules<string> {
  return {
    form: one('text'),
    parse: (value) => {
      if (value === null) return null
      if (typeof value !== 'string') return refusal
      return isStorable(value) ? toCell(value) : unstorable
    },
    cast: (value) => toCell(toStorable(toText(value))),
    format: (cell) => cell,
    compare: compareText,
    ...(defaultValue === undefined ? {} : { defaultCell: () => toCell(defaultValue) }),
  }
}
