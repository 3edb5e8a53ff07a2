import { toEmail } from '../../accounts/users/email.ts'
import { hasAddress } from '../../accounts/users/no-address.ts'
import { later } from '../../clock.ts'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { dayMs } from '../../values/dates/time-zone.ts'
import { requireGrantable } from '../collaborator.ts'
import { requireJoinable } from '../join-place.ts'
import type { Invitation } from './invitation.ts'
import { toInvitationMail } from './invitation-mail.ts'
import {
  findUsers,
  type InvitationInput,
  type InvitersScope,
  known,
  noAccount,
  requireAll,
  requireReplaceable,
  requireRoom,
} from './invite.ts'
import { requireNoneBySpace } from './inviters-place.ts'
import { reserveInvitationMails } from './reserve-invitation-mails.ts'

type Context = CallContext & Pick<Ports, 'store' | 'secrets' | 'mail'>

/**
 * Mails an invitation to each of the addresses that has no account, one after another, when all that the
 * request asks for can be done. Answers what is to be kept of them: until then they are good for nothing,
 * so that a mail that fails (`failed_dependency`) leaves none behind.
 */
export async function mailInvitations(
  context: Context,
  input: InvitationInput,
  enter: (tx: WriteTx) => Promise<InvitersScope>,
): Promise<readonly Invitation[]> {
  const { store, secrets, mail } = context
  const { mailer, publicUrl } = mail
  const { scope, emails, inviter } = await store.write(async (tx) => {
    const scope = await enter(tx)
    const emails = await findToMail({ ...context, ...scope, tx }, input)
    const inviter = emails.length > 0 ? await tx.users.find(scope.userId) : undefined
    return { scope, emails, inviter }
  })
  const invitations: Invitation[] = []
  for (const email of emails) {
    const token = secrets.token()
    const words = {
      email,
      token,
      role: input.role,
      kind: scope.place.resourceType,
      inviter: inviter && hasAddress(inviter) ? inviter.email : undefined,
    }
    await mailer?.send(toInvitationMail(words, publicUrl))
    invitations.push(toInvitation(context, scope, { ...words, tokenHash: secrets.digest(token) }))
  }
  return invitations
}

/** The addresses that an invitation is mailed to, each counted; refuses what can't all be done. */
async function findToMail(
  context: Context & InvitersScope & { readonly tx: WriteTx },
  { emails: sent, role }: InvitationInput,
): Promise<readonly string[]> {
  const { tx, place } = context
  requireGrantable(context.role, role)
  const emails = sent.map(toEmail)
  const users = await findUsers(tx, emails)
  const unknown = [...new Set(emails)].filter((email) => !users.has(email))
  if (unknown.length === 0) return []
  if (!context.mail.mailer) requireAll(emails, (email) => users.has(email), noAccount)
  requireAll(
    emails,
    (email) => users.has(email) || hasAddress({ email }),
    'must be an address that can receive mail',
  )
  if (unknown.length > limits.invitationMailsPerRequest) {
    const message = `a request mails ${limits.invitationMailsPerRequest} invitations at most: send it in parts`
    throw invalidAt(['emails'], message)
  }
  const joining = known(emails, users)
  await requireNoneBySpace(tx, place, ...joining)
  await requireJoinable(tx, place, ...joining)
  await requireReplaceable(context, unknown)
  await requireRoom(context, place, unknown)
  await reserveInvitationMails(context, unknown)
  return unknown
}

function toInvitation(
  { ids, now }: Context,
  { place, userId }: InvitersScope,
  { email, role, tokenHash }: Pick<Invitation, 'email' | 'role' | 'tokenHash'>,
): Invitation {
  return {
    resourceType: place.resourceType,
    resourceId: place.resourceId,
    id: ids.next('invitation'),
    tokenHash,
    email,
    role,
    createdBy: userId,
    createdTime: now,
    expiresTime: later(now, limits.invitationDays * dayMs),
  }
}
