import { sendUnawaited } from '../accounts/mail/mail-settings.ts'
import { hasAddress } from '../accounts/users/no-address.ts'
import type { User } from '../accounts/users/user.ts'
import type { WriteContext } from '../use-case.ts'

/** Tells the owner of an account, once that is kept, that an identity was linked to it. */
export function tellOfLink(
  { mail, afterCommit }: Pick<WriteContext<object, 'mail', unknown>, 'mail' | 'afterCommit'>,
  user: User,
): void {
  if (!hasAddress(user)) return
  afterCommit(() => sendUnawaited(mail, { to: user.email, ...told }))
}

const told = {
  subject: 'A login provider was linked to your account',
  text: 'An account at a login provider was linked to yours, and signs in to it from now on.\n\nIf it was not you, unlink it, and ask for a new password, which ends all sessions.\n',
}
