import { z } from 'zod'
import { forgetKnownUsers } from '../../access/known-users.ts'
import { noOutput } from '../../answers/no-output.ts'
import { schedulePurgeOfSpace } from '../../bases/operations/deletion/purge-base.ts'
import { scheduleNewName } from '../../calculations/jobs/show-new-name.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { SoleSpace } from '../../spaces/space-repository.ts'
import type { WriteTx } from '../../store.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import { endWaysIn } from '../end-ways-in.ts'
import { passwordSchema } from '../passwords/password.ts'
import { proveOwnPassword } from '../passwords/prove-password.ts'
import { requireOwner } from '../passwords/require-owner.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import { noAddress } from '../users/no-address.ts'
import { deletedUserName, type User } from '../users/user.ts'

type Context = CallContext & { readonly tx: WriteTx; readonly user: User }

/**
 * Ends the caller's account: who they are is forgotten, and what was theirs alone goes; what they made for others stays,
 * under a name that says nothing.
 */
export const deleteAccount = defineWrite({
  summary: 'Delete my account',
  input: z.object({
    password: passwordSchema
      .optional()
      .describe(
        'That of the account; where it has none, it takes a session that was opened just now',
      ),
  }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['passwords', 'secrets'],
  prepare: async (context, { password }) =>
    password === undefined ? undefined : proveOwnPassword(context, password),
  run: async (context) => {
    await requireOwner(context, context.prepared)
    refuseAdministrator(context.user)
    await removeSpaces(context)
    await removeBelongings(context)
    await forgetPerson(context)
  },
})

function refuseAdministrator({ isAdmin }: User): void {
  if (!isAdmin) return
  throw new DomainError(
    'restricted_resource',
    'This is the account of the administrator, whom an instance has for ever: it stays',
  )
}

/** Removes the spaces that nobody else is in; refuses where others would lose the only owner of theirs. */
async function removeSpaces(context: Context): Promise<void> {
  const { tx, user, now } = context
  const most = limits.spacesEndedWithAccount
  const alone = await tx.spaces.listOwnedAlone(user.id, most + 1)
  const shared = alone.filter(({ isShared }) => isShared)
  if (shared.length > 0) {
    throw refusedFor(
      shared,
      'You are the only owner of spaces that others are in: make one of them an owner of each, or delete it for good',
    )
  }
  if (alone.length > most) {
    const message = `${most} spaces go with an account at most, and you have more that are yours alone: delete some for good first`
    throw refusedFor(alone.slice(0, most), message)
  }
  for (const { space, isDeleted } of alone) {
    await tx.purge.removeSpace(space.id)
    await schedulePurgeOfSpace(context, space.id)
    if (isDeleted) continue
    const payload = { spaceId: space.id }
    tx.emit({ name: 'space.deleted', time: now, userId: user.id, payload })
  }
}

function refusedFor(spaces: readonly SoleSpace[], message: string): DomainError {
  return new DomainError('validation_error', message, {
    issues: [{ path: [], message }],
    spaces: spaces.map(({ space: { id, name }, isDeleted }) => ({ id, name, isDeleted })),
  })
}

/** Removes every way in, and all that was the user's alone. */
async function removeBelongings({ tx, user: { id } }: Context): Promise<void> {
  await endWaysIn(tx, id)
  await tx.plugins.deleteUnpublishedOf(id)
  await tx.oauthClients.deleteOfUser(id)
  await tx.collaborators.deleteOfUser(id)
  await tx.undo.deleteOfUser(id)
  await tx.pins.replaceAll(id, [])
  await tx.lastVisits.deleteOfUser(id)
  await tx.avatars.deleteOfUser(id)
}

/** Leaves of the person what names them in what they made, and nothing that tells who they were. */
async function forgetPerson({ tx, user, now }: Context): Promise<void> {
  const { id, createdTime, version } = user
  await tx.users.update({
    id,
    name: deletedUserName,
    email: noAddress(id),
    isEmailVerified: false,
    passwordHash: undefined,
    isAdmin: false,
    avatar: undefined,
    phone: undefined,
    lang: undefined,
    signsIn: false,
    notifyByEmail: false,
    refMeta: undefined,
    createdTime,
    deletedTime: now,
    version: version + 1,
  })
  await scheduleNewName({ tx, now }, id)
  forgetKnownUsers(tx)
  tx.emit({ name: 'user.deleted', time: now, userId: id, payload: { userId: id } })
}
