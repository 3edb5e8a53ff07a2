import { type Guard, requireScope, requireUserId } from '../access/guard.ts'
import type { Action } from '../access/roles.ts'
import { type BaseScope, onBase } from '../bases/base-guard.ts'
import { onSpace, type SpaceScope } from '../spaces/space-guard.ts'
import type { Principal } from './principal.ts'

/** Lets those pass who may take the action in the space, whose collaborators are held from here on. */
export function onHeldSpace(action: Action): Guard<{ spaceId: string }, SpaceScope> {
  return onSpace(action, 'update')
}

/** Lets those pass who may take the action in the base, whose collaborators are held from here on. */
export function onHeldBase(action: Action): Guard<{ baseId: string }, BaseScope> {
  return onBase(action, 'update')
}

/**
 * Lets pass who passes the guard, and everybody whose own role it is about, as long as they can see
 * the place. An access token needs the scope of the action either way.
 */
export function orThemself<Input, Scope>(
  guardOf: (action: Action) => Guard<Input, Scope>,
  { action, seeing }: { readonly action: Action; readonly seeing: Action },
): Guard<Input & Principal, Scope> {
  const others = guardOf(action)
  const self = guardOf(seeing)
  return {
    requirement: { ...others.requirement, enoughForOwn: seeing },
    enter: async (tx, actor, input) => {
      if (input.principalId !== requireUserId(actor)) return others.enter(tx, actor, input)
      const passage = await self.enter(tx, actor, input)
      requireScope(actor, action)
      return passage
    },
  }
}
