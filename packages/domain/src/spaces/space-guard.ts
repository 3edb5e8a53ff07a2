import type { Lock } from '../access/access-repository.ts'
import {
  decide,
  decideInTrash,
  type Guard,
  type RoleScope,
  requireUserId,
} from '../access/guard.ts'
import type { Action } from '../access/roles.ts'
import { notFound } from '../errors.ts'
import type { Space } from './space.ts'

export interface SpaceScope extends RoleScope {
  readonly space: Space
}

/** Lets those pass who may take the action in the space that the input names. */
export function onSpace(
  action: Action,
  lock: Lock = 'none',
): Guard<{ spaceId: string }, SpaceScope> {
  return {
    requirement: { on: 'space', actions: [action], sessionOnly: false },
    enter: async (tx, actor, { spaceId }) => {
      const userId = requireUserId(actor)
      const access = await tx.access.findSpace(spaceId, userId, lock)
      if (!access) throw notFound('space', spaceId)
      const role = decide(actor, access.role, action, { spaceId, what: 'space', id: spaceId })
      return { scope: { userId, space: access.space, role }, version: access.space.version }
    },
  }
}

/** Lets those pass who may take the action in the space, in the trash or not, which is held from here on. */
export function onSpaceOrTrash(action: Action): Guard<{ spaceId: string }, SpaceScope> {
  return {
    requirement: { on: 'space', actions: [action], sessionOnly: false, reachesTrash: true },
    enter: async (tx, actor, { spaceId }) => {
      const userId = requireUserId(actor)
      const access = await tx.access.findSpaceOrTrash(spaceId, userId, 'update')
      if (!access) throw notFound('space', spaceId)
      const role = decideInTrash(actor, access, action, { spaceId, what: 'space', id: spaceId })
      return { scope: { userId, space: access.space, role }, version: access.space.version }
    },
  }
}
