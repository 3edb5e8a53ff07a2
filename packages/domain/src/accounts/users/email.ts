import { z } from 'zod'
import { limits } from '../../limits.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { hasAddress } from './no-address.ts'

/** An e-mail address of an input, as it was sent. Only ASCII passes. */
export const sentEmailSchema = textUpTo(limits.emailLength).check(
  z.email('must be an e-mail address'),
)

/**
 * An e-mail address of an input, in lower case. It is checked before its case is changed: a letter that merely
 * looks like another, or becomes one in lower case, names no account.
 */
export const emailSchema = sentEmailSchema.transform(toEmail)

/** The address as it is kept and compared: in lower case. */
export function toEmail(sent: string): string {
  return sent.toLowerCase()
}

/** An address that somebody is to have from now on: none of those that stand for none. */
export const ownEmailSchema = emailSchema.refine(
  (email) => hasAddress({ email }),
  'must be an address that can receive mail',
)
