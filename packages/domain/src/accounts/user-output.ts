import { z } from 'zod'
import type { User } from './user.ts'

/** A user as they see themselves. */
export const userOutput = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  notifyMeta: z.object({ email: z.boolean() }),
  hasPassword: z.boolean(),
  isAdmin: z.boolean(),
  avatar: z.string().optional(),
  phone: z.string().optional(),
  lang: z.string().optional(),
})

/** A user who has just signed up or in: `accessToken` stands for the session, and ends with it. */
export const signedInUserOutput = userOutput
  .extend({ accessToken: z.string() })
  .meta({ id: 'SignedInUser' })

/** The user as they see themselves. */
export function toUserOutput(user: User) {
  const { avatar, phone, lang } = user
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    notifyMeta: { email: user.notifyByEmail },
    hasPassword: user.passwordHash !== undefined,
    isAdmin: user.isAdmin,
    ...(avatar !== undefined && { avatar }),
    ...(phone !== undefined && { phone }),
    ...(lang !== undefined && { lang }),
    version: user.version,
  }
}
