import { z } from 'zod'
import { limits } from '../limits.ts'
import { textUpTo } from '../values/storable-text.ts'

const sortItemSchema = z
  .strictObject({
    fieldId: textUpTo(limits.shortTextLength).describe(
      'The field, named as `fieldKeyType` says, or by its id',
    ),
    order: z
      .enum(['asc', 'desc'])
      .describe('Smaller or larger ones first; empty cells are smallest'),
  })
  .meta({ id: 'SortItem' })

/** By what records are ordered: one field, upwards or downwards. */
export type SortItem = z.output<typeof sortItemSchema>

/** By which fields records are ordered, the first one first, as a caller sends it. */
export const sortSchema = z.array(sortItemSchema).max(limits.sortFields)

/** By which fields records are grouped, the outermost first, as a caller sends it. */
export const groupSchema = z.array(sortItemSchema).max(limits.groupFields)
