import { z } from 'zod'
import { idSchema } from '../ids.ts'

/** Who a role is given to: a user. */
export const principalSchema = z.object({
  principalId: idSchema,
  principalType: z.literal('user'),
})

/** Who has a role, as a request names them. */
export type Principal = z.output<typeof principalSchema>
