import { z } from 'zod'

/** What a text is shown as. It stays text: nothing checks that it is what it is shown as. */
export const textShowAsSchema = z.strictObject({ type: z.enum(['url', 'email', 'phone']) })
