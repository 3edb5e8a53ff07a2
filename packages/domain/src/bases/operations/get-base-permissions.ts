import { z } from 'zod'
import { mayTake } from '../../access/guard.ts'
import { actions } from '../../access/roles.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onBase } from '../base-guard.ts'

/**
 * Says of every action whether the caller may take it in the base: by their role there, for actions on
 * the space by their role in the space, and by the scopes of their access token.
 */
export const getBasePermissions = defineRead({
  summary: 'Get what I may do in a base',
  input: z.object({ baseId: idSchema }),
  output: z.record(z.enum(actions), z.boolean()),
  access: onBase('base|read'),
  run: async ({ tx, actor, userId, base, role }) => {
    const space = await tx.access.findSpace(base.spaceId, userId, 'none')
    const allowed = actions.map((action) => {
      const roleThere = action.startsWith('space|') ? space?.role : role
      return [action, roleThere !== undefined && mayTake(actor, roleThere, action)] as const
    })
    return Object.fromEntries(allowed) as Record<(typeof actions)[number], boolean>
  },
})
