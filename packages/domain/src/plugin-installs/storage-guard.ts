import type { Actor } from '../access/actor.ts'
import type { Guard } from '../access/guard.ts'

/**
 * Lets those pass whom the guard lets pass, and the page of the install that the input names by its own token: it needs the role
 * that the guard asks for, but none of the scopes, which would let it change more than what it stores.
 */
export function onStorage<Input extends { readonly pluginInstallId: string }, Scope>(
  guard: Guard<Input, Scope>,
): Guard<Input, Scope> {
  const { requirement } = guard
  const withScopes = (actor: Actor, installId: string): Actor =>
    actor.kind === 'token' && actor.installId === installId
      ? { ...actor, scopes: new Set([...actor.scopes, ...requirement.actions]) }
      : actor
  return {
    requirement,
    enter: (tx, actor, input) => guard.enter(tx, withScopes(actor, input.pluginInstallId), input),
  }
}
