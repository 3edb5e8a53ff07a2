import { z } from 'zod'
import { groupsOutput } from '../groups/group-points.ts'
import { searchHitOutput } from '../showing/search-hits.ts'

/** What a list of records tells beside them. */
export const listExtraOutput = z
  .object({
    groupPoints: groupsOutput.groupPoints.optional(),
    allGroupHeaderRefs: groupsOutput.allGroupHeaderRefs.optional(),
    searchHitIndex: z
      .array(searchHitOutput)
      .optional()
      .describe('Where the records that are answered show the text that is searched'),
  })
  .optional()
  .describe(
    'What is told beside the records: all groups of what is asked for, where it is grouped, but on pages that a cursor led to, and where there are too many to be told; and what a search finds',
  )
