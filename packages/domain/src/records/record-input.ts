import { z } from 'zod'
import { limits } from '../limits.ts'
import { notYet } from '../not-yet.ts'
import { fieldKeyTypes } from '../schemas/table-schema.ts'
import { textUpTo } from '../values/storable-text.ts'
import { cellFormats } from './record-output.ts'

/** Values as a caller sent them, for one record. */
export interface RecordInput {
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Values of a record by the key of their field. Taken as they are: copying them would cost more than
 * reading them, and every key is looked up in a map before it is used.
 */
export const fieldValuesSchema = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
  )
  .meta({ type: 'object', additionalProperties: {} })

/** By what fields are addressed. */
export const fieldKeyType = z
  .enum(fieldKeyTypes)
  .describe('What fields are named by, in what is sent and answered: their name, id or dbFieldName')

/** How a caller addresses fields, and whether values are read leniently. */
export const writingShape = {
  fieldKeyType: fieldKeyType.default('name'),
  typecast: z
    .boolean()
    .default(false)
    .describe(
      'Whether values are read leniently: texts as numbers, names as choices; what can not be read then empties the cell',
    ),
  order: notYet('placing records in a view'),
}

/** How a caller wants records shown. */
export const readingShape = {
  fieldKeyType: fieldKeyType.default('name'),
  cellFormat: z
    .enum(cellFormats)
    .default('json')
    .describe('`json` for values, `text` for what a person would read'),
  projection: z
    .array(textUpTo(limits.shortTextLength))
    .max(limits.fieldsPerTable)
    .optional()
    .describe('The fields to answer, named as `fieldKeyType` says; names of none are passed over'),
}
