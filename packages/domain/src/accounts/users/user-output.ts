import { z } from 'zod'
import { type PictureViewer, shownPicture } from './shown-picture.ts'
import type { User } from './user.ts'

/** A user as they see themselves. */
export const userOutput = z.object({
  id: z.string().describe('The id of the user'),
  name: z.string().describe('What the user is called'),
  email: z
    .string()
    .describe(
      'The e-mail address, if there is one; left out for access tokens without the scope `user|email_read`',
    ),
  notifyMeta: z.object({ email: z.boolean() }).describe('Whether the user wants notices by e-mail'),
  hasPassword: z.boolean().describe('Whether the user signs in with a password'),
  isAdmin: z.boolean().describe('Whether the user is the administrator of the instance'),
  avatar: z.string().optional().describe('The address of a picture'),
  phone: z.string().optional().describe('The telephone number'),
  lang: z.string().optional().describe('The language that the user has chosen'),
})

/** A user who has just signed up or in: `accessToken` stands for the session, and ends with it. */
export const signedInUserOutput = userOutput
  .extend({ accessToken: z.string().describe('Stands for the session, and ends with it') })
  .meta({ id: 'SignedInUser' })

/** The user as they see themselves. */
export function toUserOutput(viewer: PictureViewer, user: User) {
  const { phone, lang } = user
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    notifyMeta: { email: user.notifyByEmail },
    hasPassword: user.passwordHash !== undefined,
    isAdmin: user.isAdmin,
    ...shownPicture(viewer, user),
    ...(phone !== undefined && { phone }),
    ...(lang !== undefined && { lang }),
    version: user.version,
  }
}
