import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { findOffer, hasRoleIn, mayOffer } from '../invitations/find-offer.ts'
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
  takesRoom: true,
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
    if (!mayOffer(offer.role, invitation, 'invite_email')) return noLongerGood()
    if (!(await hasRoleIn(tx, invitation, offer.place, userId))) {
      const { resourceType, resourceId, role, createdBy } = invitation
      const place = { resourceType, resourceId }
      await joinPlace({ ...context, userId: createdBy }, place, role, [userId], () => ['token'])
    }
    return offer.place
  },
})

/** One refusal for every reason: who guesses learns nothing. */
function noLongerGood(): DomainError {
  return new DomainError(
    'not_found',
    `There is no such invitation for you: an invitation works once, within ${limits.invitationDays} days, for the account with the address that it was mailed to, and while its sender may still invite`,
  )
}
