import { z } from 'zod'
import {
  findHits,
  hitPageShape,
  searchIndexOutput,
} from '../../aggregations/operations/get-search-index.ts'
import { defineRead } from '../../use-case.ts'
import { onSharedRecords } from '../share-guard.ts'
import { ownViewShape, requireOwnView, shareQueryShape, shareSortShape } from '../share-query.ts'

/** Tells in which cells that a share shows a search finds its text, and where their records stand. */
export const findSharedHits = defineRead({
  summary: 'List the hits of a search in a share',
  input: z.object({ ...shareQueryShape, ...ownViewShape, ...shareSortShape, ...hitPageShape }),
  output: searchIndexOutput,
  access: onSharedRecords(),
  run: (context, input) => {
    requireOwnView(context, input)
    return findHits({ ...context, userId: '' }, input)
  },
})
