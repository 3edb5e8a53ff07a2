import type { RoleScope } from '../../access/guard.ts'
import type { Role } from '../../access/roles.ts'
import { toEmail } from '../../accounts/users/email.ts'
import type { User } from '../../accounts/users/user.ts'
import { assert, DomainError, invalid, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ReadTx, WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { requireGrantable } from '../collaborator.ts'
import type { CollaboratorPlace } from '../collaborator-repository.ts'
import { joinPlace, type PlaceContext } from '../join-place.ts'
import type { Invitation } from './invitation.ts'
import { type InvitersPlace, requireNoneBySpace } from './inviters-place.ts'
import { mayWithdraw } from './may-withdraw.ts'

/** Who is to have which role. */
export interface InvitationInput {
  /** As they were sent. */
  readonly emails: readonly string[]
  readonly role: Role
}

/** The place of an invitation, which is held for update, and the inviter with their role there. */
export interface InvitersScope extends RoleScope {
  readonly place: InvitersPlace
}

type Invited =
  | { readonly userId: string }
  | (Pick<Invitation, 'expiresTime'> & { readonly invitationId: string })

/**
 * Lets those join who have an account, and keeps the invitations that were mailed to the others; all of
 * it or nothing. Who has signed up since their mail was sent joins at once. Answers by the address as it was sent.
 */
export async function invite(
  context: CallContext &
    InvitersScope & { readonly tx: WriteTx; readonly prepared: readonly Invitation[] },
  { emails: sent, role }: InvitationInput,
): Promise<Record<string, Invited>> {
  const { tx, place, prepared } = context
  requireGrantable(context.role, role)
  const emails = sent.map(toEmail)
  const users = await findUsers(tx, emails)
  const kept = prepared.filter(({ email }) => !users.has(email))
  const isMailed = new Set(kept.map(({ email }) => email))
  requireAll(emails, (email) => users.has(email) || isMailed.has(email), noAccount)
  const joining = known(emails, users)
  await requireNoneBySpace(tx, place, ...joining)
  const { resourceType, resourceId } = place
  await joinPlace(context, { resourceType, resourceId }, role, ...joining)
  if (kept.length > 0) {
    await requireReplaceable(context, [...isMailed])
    await requireRoom(context, place, [...isMailed])
    await tx.invitations.replaceAll(kept)
  }
  const invited = new Map<string, Invited>()
  for (const [email, { id }] of users) invited.set(email, { userId: id })
  for (const { id, email, expiresTime } of kept) {
    invited.set(email, { invitationId: id, expiresTime })
  }
  return Object.fromEntries(
    sent.map((email) => {
      const answer = invited.get(toEmail(email))
      assert(answer, 'each address has joined or was mailed')
      return [email, answer]
    }),
  )
}

/** What is said of an address without an account where no mail is sent. */
export const noAccount =
  'has no account here, and invitations are not sent by mail: let them sign up first'

/** The users that have one of the addresses, by it. */
export async function findUsers(
  tx: ReadTx,
  emails: readonly string[],
): Promise<ReadonlyMap<string, User>> {
  const users = new Map<string, User>()
  for (const email of new Set(emails)) {
    const user = await tx.users.findByEmail(email)
    if (user) users.set(email, user)
  }
  return users
}

/** The ids of the users, in the order of their addresses, and where in the input each address is. */
export function known(emails: readonly string[], users: ReadonlyMap<string, User>) {
  const places = emails.flatMap((email, index) => {
    const user = users.get(email)
    return user ? [{ id: user.id, index }] : []
  })
  const pathOf = (at: number) => ['emails', places[at]?.index ?? 0]
  return [places.map(({ id }) => id), pathOf] as const
}

/** `validation_error` that names each address that isn't as it must be. */
export function requireAll(
  emails: readonly string[],
  isRight: (email: string) => boolean,
  message: string,
): void {
  const wrong = emails.flatMap((email, index) => (isRight(email) ? [] : [index]))
  if (wrong.length > 0) throw invalid(wrong.map((index) => ({ path: ['emails', index], message })))
}

/**
 * `restricted_resource` when one of the addresses has an invitation to the place that the inviter may not
 * withdraw: a new one would end it just as well.
 */
export async function requireReplaceable(
  context: Pick<CallContext, 'actor' | 'now'> & InvitersScope & { readonly tx: ReadTx },
  emails: readonly string[],
): Promise<void> {
  const { tx, place, now } = context
  const invited = new Set(emails)
  const open = await tx.invitations.listOpen(place, now)
  const held = open.find((one) => invited.has(one.email) && !mayWithdraw(context, one))
  if (!held) return
  const message = `"${held.email}" already has an open invitation to this ${place.resourceType} from somebody else: to replace it by a new one, you need the right to withdraw it`
  throw new DomainError('restricted_resource', message)
}

/** `validation_error` when the place would have too many open invitations with those to the addresses. */
export async function requireRoom(
  { tx, now }: Pick<PlaceContext, 'tx' | 'now'>,
  place: CollaboratorPlace,
  emails: readonly string[],
): Promise<void> {
  const open = await tx.invitations.countOpen(place, now, emails)
  if (open + emails.length <= limits.invitationsPerResource) return
  const message = `there are ${limits.invitationsPerResource} open invitations to a ${place.resourceType} at most: one ends when it is accepted, or after ${limits.invitationDays} days`
  throw invalidAt(['emails'], message)
}
