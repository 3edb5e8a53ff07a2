import { z } from 'zod'
import { limits } from '../limits.ts'
import { textUpTo } from '../values/storable-text.ts'
import { hasAddress } from './no-address.ts'

/**
 * An e-mail address of an input, in lower case. Only ASCII passes, and it is checked before its case is
 * changed: a letter that merely looks like another, or becomes one in lower case, names no account.
 */
export const emailSchema = textUpTo(limits.emailLength)
  .check(z.email('must be an e-mail address'))
  .transform((email) => email.toLowerCase())

/** An address that somebody is to have from now on: none of those that stand for none. */
export const ownEmailSchema = emailSchema.refine(
  (email) => hasAddress({ email }),
  'must be an address that mail gets to',
)
