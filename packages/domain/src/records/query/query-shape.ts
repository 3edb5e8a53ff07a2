import { z } from 'zod'
import { filterSchema } from '../../fields/filter.ts'
import { idSchema } from '../../ids.ts'
import { notYet } from '../../not-yet.ts'
import { searchSchema } from '../../queries/search.ts'
import { sortSchema } from '../../queries/sort.ts'
import { fieldKeyType } from '../record-input.ts'

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

const groupNotYet = notYet('grouping records')

/** How a caller says in which order they are. */
export const sortShape = {
  orderBy: sortSchema
    .optional()
    .describe('By which fields they are ordered; else, and of those alike, as they were created'),
  groupBy: groupNotYet,
  collapsedGroupIds: groupNotYet,
  queryId: notYet('a query that is kept'),
}
