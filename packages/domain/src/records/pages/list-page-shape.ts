import { z } from 'zod'
import { limits } from '../../limits.ts'
import { textUpTo } from '../../values/storable-text.ts'

/** The members by which a caller selects a part of a list of records. */
export const listPageShape = {
  take: z
    .int()
    .min(1)
    .max(limits.recordsPerPage)
    .default(limits.recordsPerPageDefault)
    .describe('How many records to answer at most: fewer where they are large, see nextCursor'),
  skip: z
    .int()
    .min(0)
    .max(limits.recordsSkipped)
    .default(0)
    .describe('How many records are passed over before the first that is answered'),
  cursor: textUpTo(limits.cursorLength).optional().describe('The `nextCursor` of the page before'),
}
