import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { fieldKeyTypes } from '../../schemas/table-schema.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { cellFormats } from '../showing/record-output.ts'

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

/** How fields are named in a request and its answer. */
export const fieldKeyType = z
  .enum(fieldKeyTypes)
  .describe('What fields are named by, in what is sent and answered: their name, id or dbFieldName')

/** The members of a request that say where records are placed in the row order of a view. */
export const rowAnchorShape = {
  viewId: idSchema.describe('The view'),
  anchorId: idSchema.describe('The record beside which they are put'),
  position: z.enum(['before', 'after']).describe('On which side of it'),
}
const rowAnchor = z.object(rowAnchorShape)

/** A view, and a place in its row order. */
export type RowAnchor = z.output<typeof rowAnchor>

/** The members of a request that say how fields are named, and whether values are read leniently. */
export const writingShape = {
  fieldKeyType: fieldKeyType.default('name'),
  typecast: z
    .boolean()
    .default(false)
    .describe(
      'Whether values are read leniently: texts as numbers, names as choices; what can not be read then empties the cell',
    ),
  order: rowAnchor
    .optional()
    .describe('Where to put the records in the row order of a view, in their sequence'),
}

/** The members of a request that say how records are shown. */
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
