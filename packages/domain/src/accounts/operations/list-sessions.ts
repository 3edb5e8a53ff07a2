import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { defineRead } from '../../use-case.ts'
import { sessionIdOf } from '../sessions/session.ts'

/** Lists the caller's sessions that have not expired, newest first. */
export const listSessions = defineRead({
  summary: 'List my sessions',
  input: z.object({}),
  output: z.array(
    z.object({
      id: z.string(),
      createdTime: z.string(),
      expiresTime: z.string(),
      address: z.string().optional(),
      userAgent: z.string().optional(),
      isCurrent: z.boolean(),
    }),
  ),
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, actor, userId, now }) => {
    const current = sessionIdOf(actor)
    const sessions = await tx.sessions.listOf(userId, now)
    return sessions.map(({ id, createdTime, expiresTime, address, userAgent }) => ({
      id,
      createdTime,
      expiresTime,
      ...(address !== undefined && { address }),
      ...(userAgent !== undefined && { userAgent }),
      isCurrent: id === current,
    }))
  },
})
