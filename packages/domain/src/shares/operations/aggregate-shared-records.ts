import { z } from 'zod'
import {
  aggregate,
  aggregationsOutput,
  statisticsShape,
} from '../../aggregations/operations/aggregate-records.ts'
import { limits } from '../../limits.ts'
import { defineRead } from '../../use-case.ts'
import { onSharedRecords } from '../share-guard.ts'
import { shareQueryShape } from '../share-query.ts'

/** Works statistics out of the cells that a share shows. */
export const aggregateSharedRecords = defineRead({
  summary: 'Work out statistics of a share',
  input: z.object({
    ...shareQueryShape,
    ...statisticsShape,
  }),
  output: aggregationsOutput,
  access: onSharedRecords(),
  run: (context, input) => aggregate({ ...context, userId: '' }, input, limits.statisticsOfShare),
})
