import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import { pickShape, queryShape, sortShape } from '../records/query/query-shape.ts'
import { textUpTo } from '../values/storable-text.ts'

/** What the pairs of a selection say: cells when it isn't said. */
export const rangeTypes = ['columns', 'rows'] as const
export type RangeType = (typeof rangeTypes)[number]

const place = z.int().min(0).max(limits.recordsSkipped)

/** Two numbers: a column and a row, or the first and the last of some columns or rows. */
export type NumberPair = readonly [number, number]

/** How a caller says which cells of what a view shows are meant. */
export const rangesShape = {
  ranges: z
    .array(z.tuple([place, place]))
    .min(1)
    .max(limits.selectedRanges)
    .describe(
      'The first and the last cell, `[[column, row], [column, row]]`, both counted from 0; with a `type`, the first and the last of each range of columns or rows',
    ),
  type: z
    .enum(rangeTypes)
    .optional()
    .describe('Whether `ranges` are of whole columns or whole rows'),
}

/** Which columns there are to select from. */
export const projectionShape = {
  projection: z
    .array(textUpTo(limits.shortTextLength))
    .max(limits.fieldsPerTable)
    .optional()
    .describe(
      'The fields that count as columns, of those that are shown: named as `fieldKeyType` says, or by their ids',
    ),
}

/** What a caller says of a selection. */
export const selectionShape = {
  tableId: idSchema,
  ...queryShape,
  ...pickShape,
  ...sortShape,
  ...projectionShape,
  ...rangesShape,
}
