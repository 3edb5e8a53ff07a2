import { reserve } from '../../accounts/attempts/try-limits.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import { toAddressBlock } from '../../values/address-block.ts'
import type { PlaceContext } from '../join-place.ts'

/**
 * Counts invitations before they are mailed, so that requests at the same time can't pass the limits, and
 * none is counted when one is too many: of the inviter, from where the call came, to each address.
 * `too_many_requests` then.
 */
export async function reserveInvitationMails(
  context: PlaceContext & Pick<Ports, 'secrets'>,
  emails: readonly string[],
): Promise<void> {
  const { tx, now, userId, origin, secrets } = context
  const minutes = 60 * limits.invitationMailHours
  // In one order everywhere: two requests then wait for each other, and not both for ever.
  for (const email of emails.toSorted()) {
    const to = `invitation:${secrets.digest(email)}`
    await reserve({ tx, now }, to, { most: limits.invitationMailsPerEmail, minutes })
  }
  for (const _ of emails) {
    const by = `invitation-by:${userId}`
    await reserve({ tx, now }, by, { most: limits.invitationMailsPerUser, minutes })
    if (origin.address === undefined) continue
    const from = `invitation-from:${toAddressBlock(origin.address)}`
    await reserve({ tx, now }, from, { most: limits.invitationMailsPerAddress, minutes })
  }
}
