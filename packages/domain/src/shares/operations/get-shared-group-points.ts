import { z } from 'zod'
import { tellGroups } from '../../aggregations/operations/get-group-points.ts'
import { groupPointOutput } from '../../records/groups/group-points.ts'
import { groupShape } from '../../records/query/query-shape.ts'
import { defineRead } from '../../use-case.ts'
import { onSharedRecords } from '../share-guard.ts'
import { shareQueryShape } from '../share-query.ts'

/** Tells the groups of the records that a share shows, by fields that it shows, and how many records each has. */
export const getSharedGroupPoints = defineRead({
  summary: 'List the groups of a share',
  input: z.object({ ...shareQueryShape, ...groupShape }),
  output: z.array(groupPointOutput),
  access: onSharedRecords(),
  run: (context, input) => tellGroups({ ...context, userId: '' }, input),
})
