import type { RoleScope } from '../access/guard.ts'
import type { InvitersPlace } from '../collaborators/invitations/inviters-place.ts'
import { requireWithdrawable } from '../collaborators/invitations/may-withdraw.ts'
import { notFound } from '../errors.ts'
import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { InvitationLink } from './invitation-link.ts'

/** Who changes a link, in the transaction that does. */
export type LinkContext = CallContext & RoleScope & { readonly tx: WriteTx }

/**
 * The open link to the place, for whoever may change or revoke it: who made it, and whoever may withdraw invitations of
 * others in its role. Throws `not_found` for one that isn't open or leads elsewhere, `restricted_resource`.
 */
export async function findLink(
  context: LinkContext,
  place: InvitersPlace,
  invitationId: string,
): Promise<InvitationLink> {
  const open = await context.tx.invitationLinks.listOpen(place, context.now)
  const link = open.find(({ id }) => id === invitationId)
  if (!link) throw notFound('invitation link', invitationId)
  requireWithdrawable(context, place, link)
  return link
}
