import { type TextOptions, textCells, textOptionsSchema } from '../cells/text-cells.ts'
import { fieldType } from '../field-type.ts'

/** Text of any number of lines, kept as it was sent. */
export const longText = fieldType<TextOptions, string>()({
  name: 'longText',
  defaultName: () => 'Notes',
  options: textOptionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'TEXT',
  canBePrimary: true,
  canBeUnique: true,
  canBeNotNull: true,
  cells: (options) => textCells(options, (text) => text || null),
})
