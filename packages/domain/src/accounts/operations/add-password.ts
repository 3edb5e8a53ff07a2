import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { noOutput } from '../../no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnAccount } from '../account-guard.ts'
import { hasAddress } from '../no-address.ts'
import { newPasswordSchema } from '../password.ts'
import type { User } from '../user.ts'

const ownAccount = onOwnAccount({ sessionOnly: true })

/** Sets the first password of an account that was made without one, so that its user signs in by that, too. */
export const addPassword = defineWrite({
  summary: 'Add a password to my account',
  input: z.object({ password: newPasswordSchema }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['passwords'],
  prepare: async ({ store, actor, passwords }, { password }) => {
    // Before the password is hashed, which takes long.
    await store.read(async (tx) => requireNone((await ownAccount.enter(tx, actor, {})).scope.user))
    return { passwordHash: await passwords.hash(password) }
  },
  run: async ({ tx, user, prepared: { passwordHash } }) => {
    // Of two that add one at the same time, the second finds that of the first.
    requireNone(user)
    await tx.users.update({ ...user, passwordHash, version: user.version + 1 })
  },
})

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
