import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { notYet } from '../not-yet.ts'
import { groupShape, pickShape, queryShape, sortShape } from '../records/query/query-shape.ts'

const { fieldKeyType, filter, search } = queryShape
const { orderBy } = sortShape

const queryNotYet = notYet('asking that of a share')

/** Names the share. */
export const shareId = idSchema.describe('What the link of the share names')

/** How visitors say which of the records that are shown they ask for. */
export const shareQueryShape = {
  shareId,
  fieldKeyType,
  filter,
  ignoreViewQuery: z
    .literal(false, 'must be left out: a share shows what its view does')
    .optional()
    .describe('Left out: a share shows what its view does'),
  filterByTql: queryNotYet,
  filterLinkCellCandidate: queryNotYet,
  filterLinkCellSelected: queryNotYet,
  selectedRecordIds: pickShape.selectedRecordIds,
  search,
}

/** How they say in which order they are. */
export const shareSortShape = {
  orderBy,
  ...groupShape,
  queryId: queryNotYet,
}
