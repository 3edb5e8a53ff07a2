import { z } from 'zod'
import { oneUserCells } from '../cells/user-cells.ts'
import { fieldType } from '../field-type.ts'
import { trackedFieldIdsSchema } from '../tracked-field-ids.ts'

const optionsSchema = z.strictObject({
  trackedFieldIds: trackedFieldIdsSchema.describe(
    'The fields whose changes count; all where none are named',
  ),
})

/** Who changed the record, or the fields that are followed, last. */
export const lastModifiedBy = fieldType<z.output<typeof optionsSchema>, string>()({
  name: 'lastModifiedBy',
  defaultName: () => 'Last modified by',
  options: optionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'JSON',
  systemColumn: () => 'lastModifiedBy',
  trackedFieldIds: ({ trackedFieldIds }) => trackedFieldIds,
  isOfUsers: true,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: false,
  cells: () => oneUserCells,
})
