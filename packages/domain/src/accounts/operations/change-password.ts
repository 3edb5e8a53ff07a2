import { z } from 'zod'
import { noOutput } from '../../no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnAccount } from '../account-guard.ts'
import { newPasswordSchema, passwordSchema } from '../password.ts'
import { provePassword, requireStillProven, wrongPassword } from '../prove-password.ts'
import { sessionIdOf } from '../session.ts'
import { forgiveGuess } from '../try-limits.ts'

const ownAccount = onOwnAccount({ sessionOnly: true })

/** Replaces the password, given the old one, and ends all other sessions of the user. */
export const changePassword = defineWrite({
  summary: 'Change my password',
  input: z.object({ password: passwordSchema, newPassword: newPasswordSchema }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['passwords', 'secrets'],
  prepare: async (context, { password, newPassword }) => {
    const { scope } = await context.store.read((tx) => ownAccount.enter(tx, context.actor, {}))
    const { email } = scope.user
    const proven = await provePassword(context, { email, password }).catch((error: unknown) => {
      throw wrongPassword(error)
    })
    return { proven, passwordHash: await context.passwords.hash(newPassword) }
  },
  run: async (context) => {
    const { tx, actor, user, prepared } = context
    requireStillProven(user, prepared.proven)
    await forgiveGuess({ ...context, email: user.email })
    await tx.users.update({
      ...user,
      passwordHash: prepared.passwordHash,
      version: user.version + 1,
    })
    await tx.sessions.deleteOthers(user.id, sessionIdOf(actor))
  },
})
