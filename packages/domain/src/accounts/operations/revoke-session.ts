import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'

/** Ends one of the caller's sessions, at once and everywhere. */
export const revokeSession = defineWrite({
  summary: 'End one of my sessions',
  input: z.object({ sessionId: idSchema }),
  output: noOutput,
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId }, { sessionId }) => {
    if (!(await tx.sessions.delete(sessionId, userId))) throw notFound('session', sessionId)
  },
})
