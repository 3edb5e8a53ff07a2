import { z } from 'zod'
import { filterSchema } from '../../fields/filter.ts'
import { idSchema } from '../../ids.ts'
import { notYet } from '../../input/not-yet.ts'
import { limits } from '../../limits.ts'
import { searchSchema } from '../../queries/search.ts'
import { groupSchema, sortSchema } from '../../queries/sort.ts'
import { fieldKeyType } from '../input/record-input.ts'

const filterNotYet = notYet('filtering records by that')

/** How a caller says which records are asked for. */
export const queryShape = {
  fieldKeyType: fieldKeyType.default('name'),
  viewId: idSchema
    .optional()
    .describe('A view whose filter, groups and sort count, and whose fields are shown'),
  ignoreViewQuery: z
    .boolean()
    .optional()
    .describe('Whether filter, groups and sort of the view are left aside'),
  filter: filterSchema.optional().describe('What must hold of the records'),
  filterByTql: filterNotYet,
  filterLinkCellCandidate: filterNotYet,
  filterLinkCellSelected: filterNotYet,
  selectedRecordIds: filterNotYet,
  search: searchSchema
    .optional()
    .describe(
      'A text that is looked for in what is shown of the records; nothing where it is empty',
    ),
}

/** How a caller says in which groups they are. */
export const groupShape = {
  groupBy: groupSchema
    .optional()
    .describe('By which fields they are grouped, the outermost first; else by those of the view'),
  collapsedGroupIds: z
    .array(idSchema)
    .max(limits.collapsedGroups)
    .optional()
    .describe('Groups whose records are left out, by the ids that `groupPoints` have'),
}

const linkCell = z.union([idSchema, z.tuple([idSchema, idSchema])])

/** How a caller says that records are picked for a link, or out of one; of `queryShape` it replaces what isn't available. */
export const pickShape = {
  selectedRecordIds: z
    .array(idSchema)
    .max(limits.recordsPerPage)
    .optional()
    .describe('Only these records'),
  filterLinkCellCandidate: linkCell
    .optional()
    .describe(
      'Only records that a link field may take: the id of the field, which links to this table, perhaps with that of the record whose cell it is; where a record takes one link at most, those are left out that others have',
    ),
  filterLinkCellSelected: linkCell
    .optional()
    .describe(
      'Only records that a link field has: the id of the field, perhaps with that of the record whose cell it is; a list has them in the order of the cell then, unless another one is asked for',
    ),
}

/** How a caller says in which order they are. */
export const sortShape = {
  orderBy: sortSchema
    .optional()
    .describe('By which fields they are ordered; else, and of those alike, as they were created'),
  ...groupShape,
  queryId: notYet('a query that is kept'),
}
