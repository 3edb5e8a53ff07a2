import { type TextOptions, textCells, textOptionsSchema } from '../cells/text-cells.ts'
import { fieldType } from '../field-type.ts'

/** A cell holds one line: a run of line breaks and tabs becomes a space, the ends are trimmed. */
function toLine(text: string): string | null {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ').trim() || null
}

/** One line of text. */
export const singleLineText = fieldType<TextOptions, string>()({
  name: 'singleLineText',
  defaultName: () => 'Label',
  options: textOptionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'TEXT',
  canBePrimary: true,
  canBeUnique: true,
  canBeNotNull: true,
  cells: (options) => textCells(options, toLine),
})
