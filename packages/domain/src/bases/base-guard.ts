import type { Actor } from '../access/actor.ts'
import { findAllowed, type Guard, type Passage, type RoleScope } from '../access/guard.ts'
import type { Lock, MaybeDeleted } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import type { Base } from './base.ts'
import type { BaseAccess } from './base-access.ts'

/** What a guard has found of the base that a call names. */
export interface BaseScope extends RoleScope {
  readonly base: Base
}

/** Lets those pass who may take the action in the base that the input names. */
export function onBase(action: Action, lock: Lock = 'none'): BaseGuard {
  return {
    requirement: { on: 'base', actions: [action], sessionOnly: false },
    enter: (tx, actor, { baseId }) =>
      pass(actor, action, baseId, (userId) => tx.access.findBase(baseId, userId, lock)),
  }
}

/** Lets those pass who may take the action in the base, in the trash or not, which is held from here on. */
export function onBaseOrTrash(action: Action): BaseGuard {
  return {
    requirement: { on: 'base', actions: [action], sessionOnly: false, reachesTrash: true },
    enter: (tx, actor, { baseId }) =>
      pass(actor, action, baseId, (userId) => tx.access.findBaseOrTrash(baseId, userId, 'update')),
  }
}

type BaseGuard = Guard<{ baseId: string }, BaseScope>

async function pass(
  actor: Actor,
  action: Action,
  baseId: string,
  find: (userId: string) => Promise<BaseAccess | MaybeDeleted<BaseAccess>>,
): Promise<Passage<BaseScope>> {
  const named = { what: 'base', id: baseId }
  const { access, scope } = await findAllowed(actor, action, named, find, ({ base }) => ({
    spaceId: base.spaceId,
    baseId,
  }))
  const { base } = access
  return { scope: { ...scope, base }, version: base.version }
}
