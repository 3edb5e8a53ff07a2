import type { Actor } from '../access/actor.ts'
import { findAllowed, type Guard, type Passage, type RoleScope } from '../access/guard.ts'
import type { Lock, MaybeDeleted } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import type { Space } from './space.ts'
import type { SpaceAccess } from './space-access.ts'

/** What a guard has found of the space that a call names. */
export interface SpaceScope extends RoleScope {
  readonly space: Space
}

/** Lets those pass who may take the action in the space that the input names. */
export function onSpace(action: Action, lock: Lock = 'none'): SpaceGuard {
  return {
    requirement: { on: 'space', actions: [action], sessionOnly: false },
    enter: (tx, actor, { spaceId }) =>
      pass(actor, action, spaceId, (userId) => tx.access.findSpace(spaceId, userId, lock)),
  }
}

/** Lets those pass who may take the action in the space, in the trash or not, which is held from here on. */
export function onSpaceOrTrash(action: Action): SpaceGuard {
  return {
    requirement: { on: 'space', actions: [action], sessionOnly: false, reachesTrash: true },
    enter: (tx, actor, { spaceId }) =>
      pass(actor, action, spaceId, (userId) =>
        tx.access.findSpaceOrTrash(spaceId, userId, 'update'),
      ),
  }
}

type SpaceGuard = Guard<{ spaceId: string }, SpaceScope>

async function pass(
  actor: Actor,
  action: Action,
  spaceId: string,
  find: (userId: string) => Promise<SpaceAccess | MaybeDeleted<SpaceAccess>>,
): Promise<Passage<SpaceScope>> {
  const named = { what: 'space', id: spaceId }
  const { access, scope } = await findAllowed(actor, action, named, find, () => ({ spaceId }))
  const { space } = access
  return { scope: { ...scope, space }, version: space.version }
}
