import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { filterSchema } from './filter.ts'
import { keptFilterSchema } from './kept-filter.ts'
import { relationships } from './link-end.ts'

/** What a lookup or rollup reads: which field, through which link. */
const reading = z.strictObject({
  foreignTableId: idSchema.describe('The table that the link leads to'),
  lookupFieldId: idSchema.describe('The field of that table whose cells are read'),
  linkFieldId: idSchema.describe('The link, a field of the same table as this one'),
})

/** What a lookup or rollup reads, as a caller says it: with the base of the linked table, which must be right where it is
 * given. */
type SaidLookupOptions = z.output<typeof reading> & Pick<LookupOptions, 'baseId' | 'filter'>

/**
 * What a caller says of the field that a lookup or rollup reads. What the service adds to it may be sent
 * back, and is computed again.
 */
export const lookupOptionsInput = z
  .strictObject({
    ...reading.shape,
    relationship: z
      .unknown()
      .optional()
      .describe('As it is answered; what is sent of it is passed over'),
    baseId: idSchema
      .optional()
      .describe('The base of the linked table, as it is answered; another one is refused'),
    fkHostTableName: z
      .unknown()
      .optional()
      .describe('As it is answered; what is sent of it is passed over'),
    selfKeyName: z
      .unknown()
      .optional()
      .describe('As it is answered; what is sent of it is passed over'),
    foreignKeyName: z
      .unknown()
      .optional()
      .describe('As it is answered; what is sent of it is passed over'),
    filter: keptFilterSchema.describe(
      'What must hold of the linked records that are read; fields are named by their ids',
    ),
  })
  .transform(
    ({ foreignTableId, lookupFieldId, linkFieldId, baseId, filter }): SaidLookupOptions => ({
      foreignTableId,
      lookupFieldId,
      linkFieldId,
      ...(baseId === undefined ? {} : { baseId }),
      ...(filter ? { filter } : {}),
    }),
  )
export type LookupOptionsInput = z.output<typeof lookupOptionsInput>

/** What a lookup or rollup reads and what its link is like, as it is stored and answered. */
export const lookupOptionsSchema = reading.extend({
  relationship: z.enum(relationships).describe('How many records stand at each end of the link'),
  /** The base of the linked table, where it is another one. */
  baseId: z.string().optional().describe('The base of the linked table, where it is another one'),
  fkHostTableName: z.string().describe('Where the pairs of the link are kept'),
  selfKeyName: z.string().describe('What the records of this table are called there'),
  foreignKeyName: z.string().describe('What the linked records are called there'),
  filter: filterSchema.optional().describe('What must hold of the linked records that are read'),
})

/** What a lookup or rollup reads, and what its link is like. */
export type LookupOptions = z.output<typeof lookupOptionsSchema>
