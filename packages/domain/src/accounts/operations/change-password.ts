import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { newPasswordSchema, passwordSchema } from '../passwords/password.ts'
import { proveOwnPassword, requireStillProven } from '../passwords/prove-password.ts'
import { sessionIdOf } from '../sessions/session.ts'
import { onOwnAccount } from '../users/account-guard.ts'

/** Replaces the password, given the old one, and ends all other sessions of the user. */
export const changePassword = defineWrite({
  summary: 'Change my password',
  input: z.object({ password: passwordSchema, newPassword: newPasswordSchema }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['passwords', 'secrets'],
  prepare: async (context, { password, newPassword }) => {
    const proven = await proveOwnPassword(context, password)
    return { proven, passwordHash: await context.passwords.hash(newPassword) }
  },
  run: async (context) => {
    const { tx, actor, user, prepared } = context
    requireStillProven(user, prepared.proven)
    await tx.users.update({
      ...user,
      passwordHash: prepared.passwordHash,
      version: user.version + 1,
    })
    await tx.sessions.deleteOthers(user.id, sessionIdOf(actor))
  },
})
