import { z } from 'zod'
import { countHits, searchCountOutput } from '../../aggregations/operations/get-search-count.ts'
import { defineRead } from '../../use-case.ts'
import { onSharedRecords } from '../share-guard.ts'
import { ownViewShape, requireOwnView, shareQueryShape } from '../share-query.ts'

/** Counts the cells that a share shows in which a search finds its text. */
export const countSharedHits = defineRead({
  summary: 'Count the hits of a search in a share',
  input: z.object({ ...shareQueryShape, ...ownViewShape }),
  output: searchCountOutput,
  access: onSharedRecords(),
  run: (context, input) => {
    requireOwnView(context, input)
    return countHits({ ...context, userId: '' }, input)
  },
})
