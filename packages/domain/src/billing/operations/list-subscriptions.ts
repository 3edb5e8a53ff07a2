import { z } from 'zod'
import { isWithinReach } from '../../access/actor.ts'
import { signedIn } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import { defineRead } from '../../use-case.ts'
import type { Plans } from '../plans.ts'
import { levels } from '../product.ts'

const subscription = z
  .object({
    spaceId: z.string().describe('The space that has the level'),
    status: z.literal('active').describe('Levels are given by the operator, and do not run out'),
    level: z.enum(levels).describe('The level of the space'),
  })
  .meta({ id: 'Subscription' })

/** Answers the level of a space. */
export const getSubscription = defineRead({
  summary: 'Get the level of a space',
  input: z.object({ spaceId: idSchema }),
  output: subscription,
  access: onSpace('space|read'),
  needs: ['plans'],
  run: async ({ plans }, { spaceId }) => toSubscription(plans, spaceId),
})

/** Answers the levels of the spaces that the caller has a role in, oldest first. */
export const listSubscriptions = defineRead({
  summary: 'List the levels of my spaces',
  input: z.object({}),
  output: z.array(subscription),
  access: signedIn({ action: 'space|read' }),
  needs: ['plans'],
  run: async ({ plans, tx, actor, userId }) => {
    const spaces = await tx.spaces.listOf(userId)
    const ids = spaces.map(({ space }) => space.id)
    return ids.filter((id) => isWithinReach(actor, id)).map((id) => toSubscription(plans, id))
  },
})

function toSubscription(plans: Plans, spaceId: string) {
  return { spaceId, status: 'active' as const, level: plans.of(spaceId).level }
}
