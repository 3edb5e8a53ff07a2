import { z } from 'zod'
import { oneUserCells } from '../cells/user-cells.ts'
import { fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({})

/** Who created the record. */
export const createdBy = fieldType<z.output<typeof optionsSchema>, string>()({
  name: 'createdBy',
  defaultName: () => 'Created by',
  options: optionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'JSON',
  systemColumn: () => 'createdBy',
  isOfUsers: true,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: false,
  cells: () => oneUserCells,
})
