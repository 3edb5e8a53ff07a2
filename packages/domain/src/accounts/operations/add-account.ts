import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import { addSpace } from '../../spaces/add-space.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { initialsAvatar } from '../users/initials-avatar.ts'
import type { User } from '../users/user.ts'

/** What is known of somebody who signs up. */
type NewUser = Pick<
  User,
  'id' | 'name' | 'email' | 'isEmailVerified' | 'passwordHash' | 'isAdmin' | 'refMeta'
>

/** Adds an account with its first space, and tells of it. `conflict` where the address is taken. */
export async function addAccount(
  { tx, now, ids }: Pick<CallContext, 'now' | 'ids'> & { readonly tx: WriteTx },
  newUser: NewUser,
  spaceName: string = toSpaceName(newUser.name),
): Promise<User> {
  const { id } = newUser
  const user: User = {
    ...newUser,
    avatar: initialsAvatar(newUser),
    phone: undefined,
    lang: undefined,
    signsIn: true,
    notifyByEmail: true,
    createdTime: now,
    deletedTime: undefined,
    version: 1,
  }
  await tx.users.insert(user)
  await addSpace({ tx, now, ids }, { userId: id, name: spaceName })
  tx.emit({ name: 'user.signed_up', time: now, userId: id, payload: { userId: id } })
  return user
}

/** Uses an invitation code up once; refuses one that has no use left. */
export async function takeInvitation(
  { tx, secrets }: Pick<Ports, 'secrets'> & { readonly tx: WriteTx },
  inviteCode: string | undefined,
): Promise<void> {
  if (inviteCode && (await tx.inviteCodes.takeUse(secrets.digest(inviteCode)))) return
  throw invalidAt(['inviteCode'], 'must be an invitation code that has a use left')
}

/** The local part of an address, which has one, as a name. */
export function toUserName(email: string): string {
  return email.slice(0, email.lastIndexOf('@')).slice(0, limits.nameLength)
}

function toSpaceName(userName: string): string {
  const suffix = "'s space"
  return userName.slice(0, limits.nameLength - suffix.length) + suffix
}
