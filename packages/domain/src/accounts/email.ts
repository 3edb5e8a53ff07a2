import { z } from 'zod'
import { limits } from '../limits.ts'

/**
 * An e-mail address of an input, in lower case. Only ASCII passes, and it is checked before its case is
 * changed: a letter that merely looks like another, or becomes one in lower case, names no account.
 */
export const emailSchema = z
  .email('must be an e-mail address')
  .max(limits.emailLength, `must have at most ${limits.emailLength} characters`)
  .transform((email) => email.toLowerCase())
