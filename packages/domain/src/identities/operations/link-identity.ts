import { DomainError } from '../../errors.ts'
import type { WriteContext } from '../../use-case.ts'
import type { Identity } from '../identity.ts'
import type { SignInFlow } from '../sign-in-flow.ts'
import { tellOfLink } from '../tell-of-link.ts'
import { keepIdentity, type NewIdentity } from './keep-identity.ts'

type Context = WriteContext<object, 'mail', unknown>

/**
 * Links the identity to the account of who asked for it, as long as the session is open in which they did: who ended it meanwhile may
 * have done so because it was somebody else's.
 */
export async function linkIdentity(
  context: Context,
  identity: NewIdentity,
  { userId, sessionId }: NonNullable<SignInFlow['linking']>,
  found: Identity | undefined,
): Promise<void> {
  const { tx, now } = context
  const user = await tx.users.find(userId, 'update')
  const open = sessionId === undefined ? [] : await tx.sessions.listOf(userId, now)
  if (
    !user ||
    user.deletedTime !== undefined ||
    (sessionId !== undefined && !open.some(({ id }) => id === sessionId))
  ) {
    const message =
      'You have signed out since you began to link the identity: sign in, and begin again'
    throw new DomainError('restricted_resource', message)
  }
  if (found?.userId === userId) return
  if (found) {
    const message = 'This identity is linked to another account: unlink it there first'
    throw new DomainError('conflict', message)
  }
  await keepIdentity(context, identity, userId)
  tellOfLink(context, user)
}
