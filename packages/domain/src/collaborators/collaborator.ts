import { isAtLeast, type Role, roles } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'
import { DomainError } from '../errors.ts'

/** A user's role in a space (and so in all its bases) or in one base. */
export interface Collaborator {
  readonly resourceType: 'space' | 'base'
  readonly resourceId: string
  readonly userId: string
  readonly role: Role
  readonly createdBy: string
  readonly createdTime: Timestamp
}

/** The roles that can be given in one base alone: a base has no owner but its space's. */
export const baseRoles = roles.filter((role) => role !== 'owner')

/** Refuses to give a role that is more powerful than the giver's own. */
export function requireGrantable(ownRole: Role, role: Role): void {
  if (isAtLeast(ownRole, role)) return
  throw new DomainError(
    'restricted_resource',
    `Your role is "${ownRole}": you can't give the role "${role}"`,
  )
}

/**
 * Whether somebody with the own role may touch one with the other. Owners may touch one another: a space of two
 * owners must not depend on the good will of both.
 */
export function isStronger(ownRole: Role, theirRole: Role): boolean {
  return ownRole === 'owner' || !isAtLeast(theirRole, ownRole)
}

/** Refuses to touch somebody whose role is not weaker than one's own. */
export function requireWeaker(ownRole: Role, theirRole: Role): void {
  if (isStronger(ownRole, theirRole)) return
  throw new DomainError(
    'restricted_resource',
    `Your role is "${ownRole}": you can change or remove only collaborators with a weaker role, not one with the role "${theirRole}"`,
  )
}

/** Refuses to give oneself a role more powerful than the one that one has in the place itself. */
export function requireLower(collaborator: Collaborator, role: Role): void {
  if (isAtLeast(collaborator.role, role)) return
  throw new DomainError(
    'restricted_resource',
    `Your role here is "${collaborator.role}": you can lower it yourself, but not raise it`,
  )
}
