import { z } from 'zod'
import { scheduleNewName } from '../../calculations/jobs/show-new-name.ts'
import { toTimestamp } from '../../clock.ts'
import { DomainError } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { parseAt } from '../../input/parse-input.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import { nameSchema } from '../../values/names.ts'
import { ownEmailSchema } from '../users/email.ts'
import { holdByEmail } from '../users/hold-by-email.ts'
import { initialsAvatar } from '../users/initials-avatar.ts'
import { hasAddress, noAddress } from '../users/no-address.ts'
import { alreadyRegistered, type User } from '../users/user.ts'

const inputSchema = z.object({
  id: idSchema.regex(/^[0-9A-Za-z_.-]+$/, 'must be letters, digits and "_", "." or "-"').optional(),
  name: nameSchema,
  email: ownEmailSchema.optional(),
})

/** A user whom the embedding program signs in by itself. */
export interface OwnUser {
  /** The program's own id of the user; when not given, one is made. */
  readonly id?: string
  readonly name: string
  /** Without one they can't be found by an address, nor ever sign up by it. */
  readonly email?: string
}

/** The user as stored: calls are made as `engine.as({ userId: id })`. */
export type KnownUser = Required<Pick<OwnUser, 'id' | 'name'>> & Pick<OwnUser, 'email'>

type Needed = Pick<Ports, 'store' | 'clock' | 'ids'>

/**
 * Registers a user of the embedding program, or updates the one who is found by the id, else by the address. The user
 * has no password, so that nobody signs in as them, and gets no space of their own. Throws `validation_error` for an
 * invalid name, id or address, and `conflict` for an address that another user has.
 */
export async function ensureUser(ports: Needed, input: OwnUser): Promise<KnownUser> {
  const wanted = parseAt(inputSchema, input, [])
  try {
    return await ports.store.write((tx) => ensureIn(tx, ports, wanted))
  } catch (error) {
    // Another call may have registered the same user meanwhile: then the second try finds and updates that one.
    if (!(error instanceof DomainError) || error.code !== 'conflict') throw error
    return ports.store.write((tx) => ensureIn(tx, ports, wanted))
  }
}

async function ensureIn(
  tx: WriteTx,
  { clock, ids }: Needed,
  { id, name, email }: z.output<typeof inputSchema>,
): Promise<KnownUser> {
  const now = toTimestamp(clock.now())
  const byEmail = async () => (email === undefined ? undefined : holdByEmail(tx, email))
  const found = await (id === undefined ? byEmail() : tx.users.find(id, 'update'))
  if (!found) {
    const userId = id ?? ids.next('user')
    const user = toNewUser({ id: userId, name, email: email ?? noAddress(userId) }, now)
    await tx.users.insert({ ...user, isAdmin: await tx.users.claimAdministration(userId) })
    return { id: userId, name, ...(email !== undefined && { email }) }
  }
  // The program calls somebody by the id of an account that is gone: that is there again, with nothing of what it had.
  const isBack = found.deletedTime !== undefined
  const isSameAddress = email === undefined || email === found.email
  const changed = {
    ...{ ...found, name, email: email ?? found.email, deletedTime: undefined },
    isEmailVerified: isSameAddress && found.isEmailVerified,
  }
  const holder = await tx.users.findByEmail(changed.email)
  if (holder && holder.id !== found.id) {
    throw alreadyRegistered(changed.email, 'another user has it, so choose another address')
  }
  const isRenamed = found.name !== name
  if (isBack || isRenamed || found.email !== changed.email) {
    const isOfInitials = isBack || found.avatar === initialsAvatar(found)
    const avatar = isOfInitials ? initialsAvatar(changed) : found.avatar
    await tx.users.update({ ...changed, avatar, version: found.version + 1 })
    if (isRenamed) await scheduleNewName({ tx, now }, found.id)
    const payload = { userId: found.id }
    tx.emit({ name: 'user.updated', time: now, userId: found.id, payload })
  }
  return { id: found.id, name, ...(hasAddress(changed) && { email: changed.email }) }
}

function toNewUser({ id, name, email }: Required<OwnUser>, now: string): User {
  return {
    id,
    name,
    email,
    isEmailVerified: false,
    passwordHash: undefined,
    isAdmin: false,
    avatar: initialsAvatar({ id, name }),
    phone: undefined,
    lang: undefined,
    signsIn: false,
    notifyByEmail: false,
    refMeta: undefined,
    createdTime: now,
    deletedTime: undefined,
    version: 1,
  }
}
