import { hasScope } from '../../access/actor.ts'
import type { CallContext } from '../../use-case.ts'
import { hasAddress } from './no-address.ts'
import { shownPicture } from './shown-picture.ts'
import type { User } from './user.ts'

/** Who is shown users. */
export type Viewer = Pick<CallContext, 'actor' | 'publicUrl'>

/**
 * What the caller may see of a user beside their name: their picture, and their e-mail address where they have one and
 * the caller isn't an access token without the scope `user|email_read`. Nothing of one who is unknown.
 */
export function shownContact(
  viewer: Viewer,
  user: Pick<User, 'email' | 'avatar'> | undefined,
): { readonly email?: string; readonly avatar?: string } {
  return user ? { ...shownAddress(viewer, user), ...shownPicture(viewer, user) } : {}
}

/** The e-mail address of a user, under the same conditions. */
export function shownAddress(
  { actor }: Viewer,
  { email }: Pick<User, 'email'>,
): { readonly email?: string } {
  return hasScope(actor, 'user|email_read') && hasAddress({ email }) ? { email } : {}
}
