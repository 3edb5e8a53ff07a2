import { holdByEmail } from '../../accounts/users/hold-by-email.ts'
import type { WriteContext } from '../../use-case.ts'
import { tellOfLink } from '../tell-of-link.ts'
import { keepIdentity, type NewIdentity } from './keep-identity.ts'

type Context = WriteContext<object, 'mail', unknown>

/**
 * Links the identity to the account of the address, which a trusted client has said to be theirs, tells its owner, and answers the id of
 * the user; undefined where no account has shown that the address is its own. Who made one with an address that they never proved would
 * else share it with the owner of the address.
 */
export async function linkByAddress(
  context: Context,
  identity: NewIdentity,
  email: string,
): Promise<string | undefined> {
  const { tx } = context
  const user = await holdByEmail(tx, email)
  if (!user?.isEmailVerified) return undefined
  await keepIdentity(context, identity, user.id)
  tellOfLink(context, user)
  return user.id
}
