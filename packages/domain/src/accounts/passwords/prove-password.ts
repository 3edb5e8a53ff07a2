import { DomainError } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { CallContext } from '../../use-case.ts'
import { forgiveGuess, reserveGuess, takeGuessBack } from '../attempts/try-limits.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import type { User } from '../users/user.ts'

/** The e-mail address and password that somebody claims to be theirs. */
export interface Credentials {
  readonly email: string
  readonly password: string
}

/**
 * The user to whom the credentials belong. Counts the guess first, and goes the same way for an unknown
 * account as for a wrong password: neither the answer nor the time it takes tells them apart. Outside of
 * transactions, since a password is slow to check.
 */
export async function provePassword(
  {
    store,
    passwords,
    secrets,
    now,
    origin,
  }: CallContext & Pick<Ports, 'store' | 'passwords' | 'secrets'>,
  { email, password }: Credentials,
): Promise<User> {
  await store.write((tx) => reserveGuess({ tx, secrets, now, origin, email }))
  const user = await store.read((tx) => tx.users.findByEmail(email))
  const isProven = await passwords.verify(user?.passwordHash, password).catch(async (error) => {
    // Nobody has looked at the password: that the service is busy must lock nobody out.
    await store.write((tx) => takeGuessBack({ tx, secrets, now, origin, email }))
    throw error
  })
  if (!user || !isProven) throw wrongCredentials()
  return user
}

const ownAccount = onOwnAccount({ sessionOnly: true })

/** The user of the session, given their password; `invalid_credentials` when it is wrong. A guess like any other. */
export async function proveOwnPassword(
  context: CallContext & Pick<Ports, 'store' | 'passwords' | 'secrets'>,
  password: string,
): Promise<User> {
  const { scope } = await context.store.read((tx) => ownAccount.enter(tx, context.actor, {}))
  const { email, passwordHash } = scope.user
  if (passwordHash === undefined) throw withoutPassword()
  const proven = await provePassword(context, { email, password }).catch((error: unknown) => {
    throw wrongPassword(error)
  })
  await context.store.write((tx) => forgiveGuess({ ...context, tx, email }))
  return proven
}

function withoutPassword(): DomainError {
  return new DomainError(
    'restricted_resource',
    'Your account has no password yet: ask for a mail for a new password, and set one with its code',
  )
}

/** What is said where no address was sent: that of the session's user is right. */
function wrongPassword(error: unknown): unknown {
  const isThat = error instanceof DomainError && error.code === 'invalid_credentials'
  return isThat ? new DomainError(error.code, 'The password is wrong') : error
}

/**
 * Refuses when the user, as they are now, no longer has the password that was proven: an old password
 * must open nothing any more, however short a while ago it was changed.
 */
export function requireStillProven(user: User | undefined, proven: User): asserts user is User {
  if (user?.passwordHash !== proven.passwordHash) throw wrongCredentials()
}

function wrongCredentials(): DomainError {
  return new DomainError('invalid_credentials', 'The e-mail address or the password is wrong')
}
