import type { Actor } from '../../access/actor.ts'
import { decide, type Guard, mayTake, type RoleScope, requireScope } from '../../access/guard.ts'
import type { Action, Role } from '../../access/roles.ts'
import type { CallContext } from '../../use-case.ts'
import { isStronger, requireWeaker } from '../collaborator.ts'
import type { CollaboratorPlace } from '../collaborator-repository.ts'
import type { Offer } from './find-offer.ts'
import type { InvitersPlace } from './inviters-place.ts'

/** The action that withdrawing the invitations of others takes, by what they invite to. */
export const withdrawalActions: Readonly<Record<CollaboratorPlace['resourceType'], Action>> = {
  space: 'space|grant_role',
  base: 'base|update',
}

/** Who asks, and their role in the place of the invitation. */
interface Withdrawer {
  readonly actor: Actor
  readonly userId: string
  readonly role: Role
}

/**
 * Whether somebody who may invite to a place may end an open invitation to it: their own, or one of others
 * where they may remove people and it gives a weaker role than theirs.
 */
export function mayWithdraw(
  { actor, userId, role }: Withdrawer,
  { resourceType, createdBy, role: given }: Offer,
): boolean {
  if (createdBy === userId) return true
  return mayTake(actor, role, withdrawalActions[resourceType]) && isStronger(role, given)
}

/** Says in the requirement of a guard, which lets people invite, that what others made takes another action as well. */
export function withRightTo<Input, Scope>(
  action: Action,
  guard: Guard<Input, Scope>,
  own: Action,
): Guard<Input, Scope> {
  const { requirement } = guard
  const actions = [action, ...requirement.actions]
  return { ...guard, requirement: { ...requirement, actions, enoughForOwn: own } }
}

/** Throws what is missing where `mayWithdraw` is false. An access token needs the scope of the action for its user's own, too. */
export function requireWithdrawable(
  { actor, userId, role }: Pick<CallContext, 'actor'> & RoleScope,
  { resourceType: what, resourceId: id, spaceId }: InvitersPlace,
  { createdBy, role: given }: Offer,
): void {
  const action = withdrawalActions[what]
  requireScope(actor, action)
  if (createdBy === userId) return
  const baseId = what === 'base' ? { baseId: id } : {}
  decide(actor, role, action, { spaceId, ...baseId, what, id })
  requireWeaker(role, given)
}
