import { z } from 'zod'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { getSeen } from '../../pins/find-seen.ts'
import { defineWrite } from '../../use-case.ts'
import { childrenOf, visitedTypes } from '../visited-types.ts'

/** Notes what the caller opened, for `getLastVisit`. */
export const noteLastVisit = defineWrite({
  summary: 'Note what I opened',
  input: z.object({
    resourceType: z.enum(visitedTypes).describe('What was opened'),
    resourceId: idSchema.describe('The id of what was opened'),
    parentResourceId: idSchema.describe(
      'What it lies in: the space of a base, the table of a view, the base of all else',
    ),
    childResourceId: idSchema
      .nullish()
      .describe('What was open in it: a view of the table, or something of the tree of the base'),
  }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'share' }),
  run: async ({ tx, userId, now }, input) => {
    const { resourceType: type, resourceId: id, parentResourceId, childResourceId } = input
    const { parentId, baseId } = await getSeen(tx, userId, { type, id })
    if (parentId !== parentResourceId) throw notFound(type, id)
    const childId = childResourceId ?? null
    if (childId !== null) {
      const [child] = await tx.seenResources.find(userId, childrenOf(type, childId))
      if (child?.parentId !== id) throw notFound('resource', childId)
    }
    const visit = { userId, parentId, resourceType: type, resourceId: id, childId, baseId }
    await tx.lastVisits.note({ ...visit, visitedTime: now })
    await tx.lastVisits.deleteOldest(userId, limits.lastVisitsPerUser)
  },
})
