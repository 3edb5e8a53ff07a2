import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { DomainError } from '../../errors.ts'
import { defineWrite } from '../../use-case.ts'
import { sendUnawaited } from '../mail/mail-settings.ts'
import { newPasswordSchema } from '../passwords/password.ts'
import { requireOwner } from '../passwords/require-owner.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import { hasAddress } from '../users/no-address.ts'
import type { User } from '../users/user.ts'

const ownAccount = onOwnAccount({ sessionOnly: true })

/**
 * Sets the first password of an account that was made without one, so that its user signs in by that, too. It takes a session that was
 * opened just now: a password would make one that somebody left open a way in that lasts.
 */
export const addPassword = defineWrite({
  summary: 'Add a password to my account',
  input: z.object({ password: newPasswordSchema }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['passwords', 'mail'],
  prepare: async ({ store, actor, passwords }, { password }) => {
    // Before the password is hashed, which takes long.
    await store.read(async (tx) => requireNone((await ownAccount.enter(tx, actor, {})).scope.user))
    return { passwordHash: await passwords.hash(password) }
  },
  run: async (context) => {
    const { tx, user, mail, afterCommit, prepared } = context
    // Of two that add one at the same time, the second finds that of the first.
    requireNone(user)
    await requireOwner(context, undefined)
    const { passwordHash } = prepared
    await tx.users.update({ ...user, passwordHash, version: user.version + 1 })
    afterCommit(() => sendUnawaited(mail, { to: user.email, ...added }))
  },
})

const added = {
  subject: 'Your account has a password now',
  text: 'A password was added to your account: whoever knows it signs in with it and your address.\n\nIf it was not you, ask for a new password at once, which ends this one and all sessions.\n',
}

function requireNone(user: User): void {
  if (user.passwordHash !== undefined) {
    throw new DomainError('conflict', 'This account has a password already: change that one')
  }
  if (!hasAddress(user)) {
    throw new DomainError(
      'restricted_resource',
      'This account has no e-mail address, with which a password would sign in',
    )
  }
}
