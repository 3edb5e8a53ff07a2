import { z } from 'zod'
import { idSchema } from '../ids.ts'

/** Who a role is given to: a user. */
export const principalSchema = z.object({
  principalId: idSchema.describe('The id of the user'),
  principalType: z.literal('user').describe('What has the role: a user'),
})

/** Who has a role, as a request names them. */
export type Principal = z.output<typeof principalSchema>
