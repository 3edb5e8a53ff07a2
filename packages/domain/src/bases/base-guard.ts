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
import type { Base } from './base.ts'

export interface BaseScope extends RoleScope {
  readonly base: Base
}

/** Lets those pass who may take the action in the base that the input names. */
export function onBase(action: Action, lock: Lock = 'none'): Guard<{ baseId: string }, BaseScope> {
  return {
    requirement: { on: 'base', actions: [action], sessionOnly: false },
    enter: async (tx, actor, { baseId }) => {
      const userId = requireUserId(actor)
      const access = await tx.access.findBase(baseId, userId, lock)
      if (!access) throw notFound('base', baseId)
      const { base } = access
      const place = { spaceId: base.spaceId, baseId, what: 'base', id: baseId }
      const role = decide(actor, access.role, action, place)
      return { scope: { userId, base, role }, version: base.version }
    },
  }
}

/** Lets those pass who may take the action in the base, in the trash or not, which is held from here on. */
export function onBaseOrTrash(action: Action): Guard<{ baseId: string }, BaseScope> {
  return {
    requirement: { on: 'base', actions: [action], sessionOnly: false, reachesTrash: true },
    enter: async (tx, actor, { baseId }) => {
      const userId = requireUserId(actor)
      const access = await tx.access.findBaseOrTrash(baseId, userId, 'update')
      if (!access) throw notFound('base', baseId)
      const { base } = access
      const place = { spaceId: base.spaceId, baseId, what: 'base', id: baseId }
      const role = decideInTrash(actor, access, action, place)
      return { scope: { userId, base, role }, version: base.version }
    },
  }
}
