import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { canTake, isAtLeast, type Role } from '../../access/roles.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import type { CollaboratorPlace } from '../collaborator-repository.ts'
import type { Invitation } from '../invitation.ts'
import { joinPlace } from '../join-place.ts'

/**
 * Takes the role that an invitation by mail offers. The token alone is not enough, the mail may have been
 * passed on, nor is the address, which nobody may have proved: it takes both. A role that the caller has in
 * the place already stays as it is.
 */
export const acceptInvitation = defineWrite({
  summary: 'Accept an invitation',
  input: z.object({ token: textUpTo(limits.shortTextLength) }),
  output: z.object({ spaceId: z.string(), baseId: z.string().optional() }),
  access: signedIn({ sessionOnly: true }),
  needs: ['secrets'],
  run: async (context, { token }) => {
    const { tx, userId, now, secrets } = context
    const invitation = await tx.invitations.find(secrets.digest(token))
    const user = await tx.users.find(userId)
    if (!invitation || invitation.expiresTime <= now || user?.email !== invitation.email) {
      throw noLongerGood()
    }
    const offer = await findOffer(tx, invitation)
    if (!offer || !(await tx.invitations.delete(invitation.tokenHash))) throw noLongerGood()
    if (!mayGive(offer.role, invitation)) return noLongerGood()
    if (!(await hasRole(tx, invitation, offer.place, userId))) {
      const { resourceType, resourceId, role, createdBy } = invitation
      const place = { resourceType, resourceId }
      await joinPlace({ ...context, userId: createdBy }, place, role, [userId], () => ['token'])
    }
    return offer.place
  },
})

/** Whether the user has a role in the place already, by the space of a base too. */
async function hasRole(
  tx: WriteTx,
  place: CollaboratorPlace,
  { spaceId }: { readonly spaceId: string },
  userId: string,
): Promise<boolean> {
  const inSpace = { resourceType: 'space', resourceId: spaceId } as const
  return Boolean(
    (await tx.collaborators.find(place, userId)) ?? (await tx.collaborators.find(inSpace, userId)),
  )
}

/** The place, held for update, and the inviter's role there; undefined when it is deleted. */
async function findOffer(
  tx: WriteTx,
  { resourceType, resourceId, createdBy }: Invitation,
): Promise<
  | { readonly place: { spaceId: string; baseId?: string }; readonly role: Role | undefined }
  | undefined
> {
  if (resourceType === 'space') {
    const found = await tx.access.findSpace(resourceId, createdBy, 'update')
    return found && { place: { spaceId: resourceId }, role: found.role }
  }
  const found = await tx.access.findBase(resourceId, createdBy, 'update')
  return found && { place: { spaceId: found.base.spaceId, baseId: resourceId }, role: found.role }
}

/** Whether somebody with the role could invite so now. */
function mayGive(role: Role | undefined, { resourceType, role: offered }: Invitation): boolean {
  return (
    role !== undefined && canTake(role, `${resourceType}|invite_email`) && isAtLeast(role, offered)
  )
}

/** The same for every reason: who guesses learns nothing. */
function noLongerGood(): DomainError {
  return new DomainError(
    'not_found',
    `There is no such invitation for you: an invitation works once, within ${limits.invitationDays} days, for the account with the address that it was mailed to, and while its sender may still invite`,
  )
}
