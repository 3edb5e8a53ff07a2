import type { Actor } from '../access/actor.ts'
import { mayTake } from '../access/guard.ts'
import type { Action, Role } from '../access/roles.ts'
import { isStronger } from './collaborator.ts'
import type { CollaboratorPlace } from './collaborator-repository.ts'
import type { Invitation } from './invitation.ts'

/** The action that withdrawing the invitations of others takes, by what they invite to. */
export const withdrawalActions: Readonly<Record<CollaboratorPlace['resourceType'], Action>> = {
  space: 'space|grant_role',
  base: 'base|update',
}

/** Who asks, and their role in the place of the invitation. */
export interface Withdrawer {
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
  { resourceType, createdBy, role: given }: Invitation,
): boolean {
  if (createdBy === userId) return true
  return mayTake(actor, role, withdrawalActions[resourceType]) && isStronger(role, given)
}
