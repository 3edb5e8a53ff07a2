import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { isAtLeast } from '../../access/roles.ts'
import { reserve } from '../../accounts/attempts/try-limits.ts'
import { findOffer, hasRoleIn, mayOffer } from '../../collaborators/invitations/find-offer.ts'
import { joinPlace } from '../../collaborators/join-place.ts'
import { DomainError } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { findRoleOfCode } from '../shown-link.ts'

/**
 * Takes the role that an invitation link offers. A role that the caller has in the place already stays as it is: the
 * call may be repeated. Tries count, and are remembered where they fail, too.
 */
export const acceptInvitationLink = defineWrite({
  summary: 'Accept an invitation link',
  input: z.object({
    invitationId: idSchema.describe('The id of the link'),
    invitationCode: textUpTo(limits.shortTextLength).describe('The code that came with it'),
  }),
  output: z.object({
    spaceId: z.string().describe('The space that the caller has a role in now, or by a base'),
    baseId: z.string().optional().describe('The base, where the link leads to one'),
  }),
  takesRoom: true,
  access: signedIn({ sessionOnly: true }),
  needs: ['secrets'],
  run: async (context, { invitationId, invitationCode }) => {
    const { tx, userId, now, secrets } = context
    await reserve(context, `invitation-link:${userId}`, {
      most: limits.invitationLinkTries,
      minutes: limits.invitationLinkMinutes,
    })
    const known = findRoleOfCode(secrets, { id: invitationId, code: invitationCode })
    const link = known && (await tx.invitationLinks.find(invitationId))
    if (!link || link.expiresTime <= now || !isAtLeast(known, link.role)) return noLongerGood()
    const offer = await findOffer(tx, link)
    if (!offer || !mayOffer(offer.role, link, 'invite_link')) return noLongerGood()
    const { resourceType, resourceId, role, createdBy } = link
    if (await hasRoleIn(tx, link, offer.place, userId)) return offer.place
    // As it was read: one that was revoked meanwhile, or gives another role now, lets nobody in.
    if (!(await tx.invitationLinks.countJoining(link.id, role))) return noLongerGood()
    const place = { resourceType, resourceId }
    const path = () => ['invitationId']
    await joinPlace({ ...context, userId: createdBy }, place, role, [userId], path)
    return offer.place
  },
})

/** One refusal for every reason: who guesses learns nothing. */
function noLongerGood(): DomainError {
  return new DomainError(
    'not_found',
    'There is no such invitation link: it may have expired or been revoked, and it works while who made it may still invite so',
  )
}
