import { z } from 'zod'
import { idSchema } from '../ids.ts'

/** Who a role is given to: a user. */
export const principalSchema = z.object({
  principalId: idSchema,
  principalType: z.literal('user'),
})
export type Principal = z.output<typeof principalSchema>
