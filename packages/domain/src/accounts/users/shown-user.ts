import { z } from 'zod'

/** A user as others see them; see `shownContact` for what is left out. */
export const shownUser = z
  .object({
    id: z.string().describe('The id of the user'),
    name: z.string().describe('What they are called'),
    email: z
      .string()
      .optional()
      .describe(
        'Their e-mail address, if they have one; left out for access tokens without the scope `user|email_read`',
      ),
    avatar: z.string().optional().describe('The URL of their picture'),
  })
  .meta({ id: 'ShownUser' })

/** The users whom an answer names, by id; see `shownContact` for what is left out. */
export const userMapOutput = z.record(z.string(), shownUser)
