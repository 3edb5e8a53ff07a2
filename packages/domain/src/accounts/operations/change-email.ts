import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { proveAddress, spendCode } from '../mail/mail-code.ts'
import { sendUnawaited } from '../mail/mail-settings.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import { ownEmailSchema } from '../users/email.ts'
import { hasAddress } from '../users/no-address.ts'

const shortText = textUpTo(limits.shortTextLength)
const ownAccount = onOwnAccount({ sessionOnly: true })

/** Replaces the caller's e-mail address by one that they have proven to be theirs, and tells the old one. */
export const changeEmail = defineWrite({
  summary: 'Change my e-mail address',
  input: z.object({ email: ownEmailSchema, token: shortText, code: shortText }),
  output: noOutput,
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['secrets', 'mail'],
  prepare: async (context, { email, token, code }) => {
    const { scope } = await context.store.read((tx) => ownAccount.enter(tx, context.actor, {}))
    const purpose = { kind: 'change-email', userId: scope.userId } as const
    await proveAddress(context, { email, purpose }, { token, code })
  },
  run: async (context, { email, token }) => {
    const { tx, user, userId, now, mail, afterCommit } = context
    await spendCode(context, token)
    if (email === user.email) return
    const version = user.version + 1
    await tx.users.update({ ...user, email, isEmailVerified: true, version })
    tx.emit({ name: 'user.updated', time: now, userId, payload: { userId } })
    if (!hasAddress(user)) return
    const told = {
      to: user.email,
      subject: 'The address of your account was changed',
      text: 'Your account has another e-mail address from now on: you sign in with that one.\n\nIf it was not you, ask the operator of the service for help at once.\n',
    }
    afterCommit(() => sendUnawaited(mail, told))
  },
})
