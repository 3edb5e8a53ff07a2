import { canTake, isAtLeast, type Role } from '../../access/roles.ts'
import type { WriteTx } from '../../store.ts'
import type { Collaborator } from '../collaborator.ts'
import type { CollaboratorPlace } from '../collaborator-repository.ts'

/** Where an invitation leads, as who accepts it is told. */
export interface OfferedPlace {
  readonly spaceId: string
  readonly baseId?: string
}

/** What an invitation offers, and who made it. */
export type Offer = CollaboratorPlace & Pick<Collaborator, 'role' | 'createdBy'>

/** The place, held for update, and the inviter's role there; undefined when it is deleted. */
export async function findOffer(
  tx: WriteTx,
  { resourceType, resourceId, createdBy }: Offer,
): Promise<{ readonly place: OfferedPlace; readonly role: Role | undefined } | undefined> {
  if (resourceType === 'space') {
    const found = await tx.access.findSpace(resourceId, createdBy, 'update')
    return found && { place: { spaceId: resourceId }, role: found.role }
  }
  const found = await tx.access.findBase(resourceId, createdBy, 'update')
  return found && { place: { spaceId: found.base.spaceId, baseId: resourceId }, role: found.role }
}

/** Whether somebody with the role could invite so now, by mail or by a link. */
export function mayOffer(
  role: Role | undefined,
  { resourceType, role: offered }: Offer,
  by: 'invite_email' | 'invite_link',
): boolean {
  return role !== undefined && canTake(role, `${resourceType}|${by}`) && isAtLeast(role, offered)
}

/** Whether the user has a role in the place already, by the space of a base too. */
export async function hasRoleIn(
  tx: WriteTx,
  place: CollaboratorPlace,
  { spaceId }: OfferedPlace,
  userId: string,
): Promise<boolean> {
  const inSpace = { resourceType: 'space', resourceId: spaceId } as const
  return Boolean(
    (await tx.collaborators.find(place, userId)) ?? (await tx.collaborators.find(inSpace, userId)),
  )
}
