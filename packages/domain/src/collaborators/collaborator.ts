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

/** Refuses to touch somebody whose role is more powerful than one's own. */
export function requireNotStronger(ownRole: Role, theirRole: Role): void {
  if (isAtLeast(ownRole, theirRole)) return
  throw new DomainError(
    'restricted_resource',
    `Your role is "${ownRole}": you can't change or remove somebody with the role "${theirRole}"`,
  )
}
