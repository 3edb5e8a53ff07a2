import { z } from 'zod'
import { passwordSchema } from '../../accounts/passwords/password.ts'
import { proveOwnPassword, requireStillProven } from '../../accounts/passwords/prove-password.ts'
import { requireOwner } from '../../accounts/passwords/require-owner.ts'
import { sessionIdOf } from '../../accounts/sessions/session.ts'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { invalidAt } from '../../errors.ts'
import { defineWrite } from '../../use-case.ts'
import { beginFlow, begunOutput, findForSignIn, flowInput } from './begin-flow.ts'

const ownAccount = onOwnAccount({ sessionOnly: true })

/**
 * Begins to link the caller's account to one at a login provider, by which they sign in from then on. The password is asked for,
 * where there is one, else a session that was opened just now: who finds a browser open makes no way in that lasts.
 */
export const startLinking = defineWrite({
  summary: 'Begin to link my account to one at a login provider',
  input: z.object({ ...flowInput, password: passwordSchema.optional() }),
  output: begunOutput,
  answers: 'secret',
  access: ownAccount,
  needs: ['passwords', 'secrets', 'settings', 'openIdClient'],
  prepare: async (context, { providerId, redirect, password }) => {
    const { actor, store } = context
    const { user, provider } = await store.read(async (tx) => ({
      user: (await ownAccount.enter(tx, actor, {})).scope.user,
      provider: await findForSignIn(tx, providerId),
    }))
    if (user.passwordHash !== undefined) {
      if (password === undefined)
        throw invalidAt(['password'], 'must be the password of your account')
      await proveOwnPassword(context, password)
    }
    const linking = { userId: user.id, sessionId: sessionIdOf(actor) }
    return { proven: user, begun: await beginFlow(context, provider, { redirect, linking }) }
  },
  run: async (context) => {
    const { proven, begun } = context.prepared
    requireStillProven(context.user, proven)
    if (proven.passwordHash === undefined) await requireOwner(context, undefined)
    return begun
  },
})
