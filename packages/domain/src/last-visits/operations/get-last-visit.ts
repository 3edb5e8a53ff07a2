import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { seenTypes } from '../../pins/seen-resource.ts'
import type { ReadTx } from '../../store.ts'
import { resourceTypes } from '../../tree/tree-node.ts'
import { defineRead } from '../../use-case.ts'
import type { LastVisit } from '../last-visit.ts'
import { childrenOf, visitedTypes } from '../visited-types.ts'

const visitOutput = z
  .object({
    resourceType: z.enum(seenTypes).optional().describe('What was opened last'),
    resourceId: z.string().optional().describe('Its id; absent where nothing is known'),
    childResourceId: z.string().optional().describe('The id of what was open in it'),
  })
  .meta({ id: 'LastVisit' })

/** Answers what the caller opened last of a type in a place. */
export const getLastVisit = defineRead({
  summary: 'Get what I opened last',
  input: z.object({
    resourceType: z.enum(visitedTypes).describe('What is asked for'),
    parentResourceId: idSchema.describe('The space, base or table in which it lies'),
  }),
  output: visitOutput,
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId }, { resourceType, parentResourceId }) => {
    const visits = await tx.lastVisits.listOf(userId, parentResourceId)
    return findShown(
      tx,
      visits.filter((visit) => visit.resourceType === resourceType),
    )
  },
})

/** Answers what the caller opened last of the tree of a base. */
export const getLastVisitedNode = defineRead({
  summary: 'Get what I opened last in a base',
  input: z.object({ parentResourceId: idSchema.describe('The base') }),
  output: visitOutput,
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId }, { parentResourceId }) => {
    const visits = await tx.lastVisits.listOf(userId, parentResourceId)
    const types: readonly string[] = resourceTypes
    return findShown(
      tx,
      visits.filter(({ resourceType }) => types.includes(resourceType)),
    )
  },
})

/** The first of the visits whose resource its user may still read, with what was open in it, under the same condition. */
async function findShown(
  tx: ReadTx,
  visits: readonly LastVisit[],
): Promise<z.output<typeof visitOutput>> {
  const [{ userId } = { userId: '' }] = visits
  const named = visits.flatMap(({ resourceType: type, resourceId: id, childId }) => [
    { type, id },
    ...(childId === null ? [] : childrenOf(type, childId)),
  ])
  const seen = new Set((await tx.seenResources.find(userId, named)).map(({ id }) => id))
  const visit = visits.find(({ resourceId }) => seen.has(resourceId))
  if (!visit) return {}
  const { resourceType, resourceId, childId } = visit
  return {
    ...{ resourceType, resourceId },
    ...(childId !== null && seen.has(childId) && { childResourceId: childId }),
  }
}
