import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { sessionIdOf } from '../sessions/session.ts'

/** Ends the session that the call came by. */
export const signOut = defineWrite({
  summary: 'Sign out',
  input: z.object({}),
  output: noOutput,
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, actor, userId }) => {
    const sessionId = sessionIdOf(actor)
    if (sessionId !== undefined) await tx.sessions.delete(sessionId, userId)
  },
})
