import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { clearGuesses } from '../attempts/try-limits.ts'
import { endWaysIn } from '../end-ways-in.ts'
import { newPasswordSchema } from '../passwords/password.ts'
import { readResetCode, requireResetCode } from '../passwords/password-reset.ts'

/**
 * Sets a new password with a code that was mailed, and ends whatever else signs the user in, or acts for them: sessions, identities,
 * access tokens, what plugins were allowed. The lock of failed sign-ins ends, too.
 */
export const resetPassword = defineWrite({
  summary: 'Set a new password by a mailed code',
  input: z.object({ password: newPasswordSchema, code: textUpTo(limits.shortTextLength) }),
  output: noOutput,
  access: anyone(),
  needs: ['passwords', 'secrets'],
  prepare: async ({ store, secrets, passwords, now }, { password, code }) => {
    const claim = readResetCode(code)
    const user = claim && (await store.read((tx) => tx.users.find(claim.userId)))
    // Before the password is hashed, which takes long: wrong codes cost next to nothing.
    requireResetCode(secrets, user, claim, now)
    return { claim, passwordHash: await passwords.hash(password) }
  },
  run: async ({ tx, secrets, now, prepared: { claim, passwordHash } }) => {
    const user = claim && (await tx.users.find(claim.userId, 'update'))
    // Of two that set one at the same time, the second finds a code that is spent.
    requireResetCode(secrets, user, claim, now)
    const version = user.version + 1
    await tx.users.update({ ...user, passwordHash, isEmailVerified: true, version })
    // Whoever made the account before the owner of the address proved theirs has no way in any more: anybody signs up with any
    // address where no mail proves it, or has a provider of theirs say that it is verified.
    await endWaysIn(tx, user.id)
    await clearGuesses({ tx, secrets, email: user.email })
  },
})
