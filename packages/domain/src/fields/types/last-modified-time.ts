import { z } from 'zod'
import type { Timestamp } from '../../clock.ts'
import { dateFormattingSchema } from '../../values/dates/date-formatting.ts'
import { dateCells } from '../cells/date-cells.ts'
import { fieldType } from '../field-type.ts'
import { trackedFieldIdsSchema } from '../tracked-field-ids.ts'

const optionsSchema = z.strictObject({
  expression: z
    .literal('LAST_MODIFIED_TIME()')
    .default('LAST_MODIFIED_TIME()')
    .describe('Always the same; may be sent back'),
  formatting: dateFormattingSchema.describe('How times are shown'),
  trackedFieldIds: trackedFieldIdsSchema.describe(
    'The fields whose changes count; all where none are named',
  ),
})

/** When the record, or the fields that are followed, changed last. */
export const lastModifiedTime = fieldType<z.output<typeof optionsSchema>, Timestamp>()({
  name: 'lastModifiedTime',
  defaultName: () => 'Last Modified Time',
  options: optionsSchema,
  cellValueType: () => 'dateTime',
  dbFieldType: () => 'DATETIME',
  systemColumn: () => 'lastModifiedTime',
  trackedFieldIds: ({ trackedFieldIds }) => trackedFieldIds,
  canBePrimary: true,
  canBeUnique: false,
  canBeNotNull: false,
  cells: ({ formatting }) => dateCells(formatting),
})
