import { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { idSchema } from '../ids.ts'
import { notYet } from '../input/not-yet.ts'
import { groupShape, pickShape, queryShape, sortShape } from '../records/query/query-shape.ts'
import type { ShareScope } from './share-guard.ts'

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

/** For operations to which programs send a view, as they do where they ask a table. */
export const ownViewShape = {
  viewId: idSchema
    .optional()
    .describe('The view that is shared, which counts anyway; another one is refused'),
}

/** Refuses another view than the shared one, in the same words whether there is such a view or not. */
export function requireOwnView(
  { view }: Pick<ShareScope, 'view'>,
  { viewId = view.id }: { readonly viewId?: string | undefined },
): void {
  if (viewId !== view.id) {
    throw invalidAt(['viewId'], 'must be the id of the view that is shared, or be left out')
  }
}
