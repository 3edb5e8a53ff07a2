import { z } from 'zod'
import { countRows } from '../../aggregations/operations/get-row-count.ts'
import { defineRead } from '../../use-case.ts'
import { onSharedRecords } from '../share-guard.ts'
import { shareQueryShape } from '../share-query.ts'

/** Counts the records that the view of a share shows, those that a filter lets through. */
export const countSharedRecords = defineRead({
  summary: 'Count the records of a share',
  input: z.object(shareQueryShape),
  output: z.object({ rowCount: z.number().describe('How many there are') }),
  access: onSharedRecords(),
  run: (context, input) => countRows({ ...context, userId: '' }, input),
})
