import { z } from 'zod'
import { isWithinReach } from '../../access/actor.ts'
import { mayTake } from '../../access/guard.ts'
import { type Action, actions } from '../../access/roles.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onBase } from '../base-guard.ts'

/**
 * Says of every action whether the caller may take it in the base: by their role there, for actions on
 * the space by their role in the space, and by the scopes and the reach of their access token.
 */
export const getBasePermissions = defineRead({
  summary: 'Get what I may do in a base',
  input: z.object({ baseId: idSchema }),
  output: z.record(z.enum(actions), z.boolean()),
  access: onBase('base|read'),
  run: async ({ tx, actor, userId, base, role }) => {
    const space = isWithinReach(actor, base.spaceId)
      ? await tx.access.findSpace(base.spaceId, userId, 'none')
      : undefined
    const allowed = actions.map((action) => {
      const roleThere = isOnSpace(action) ? space?.role : role
      return [action, roleThere !== undefined && mayTake(actor, roleThere, action)] as const
    })
    return Object.fromEntries(allowed) as Record<(typeof actions)[number], boolean>
  },
})

/** Whether the action is taken on a space: bases are created in one. */
function isOnSpace(action: Action): boolean {
  return action.startsWith('space|') || action === 'base|create'
}
