import { type Actor, hasScope } from '../access/actor.ts'
import { hasAddress } from './no-address.ts'
import type { User } from './user.ts'

/**
 * What the caller may see of a user beside their name: their picture, and their e-mail address where they have one and
 * the caller isn't an access token without the scope `user|email_read`. Nothing of one who is unknown.
 */
export function shownContact(
  actor: Actor,
  user: Pick<User, 'email' | 'avatar'> | undefined,
): { readonly email?: string; readonly avatar?: string } {
  if (!user) return {}
  const { email, avatar } = user
  return {
    ...(hasScope(actor, 'user|email_read') && hasAddress({ email }) && { email }),
    ...(avatar !== undefined && { avatar }),
  }
}
