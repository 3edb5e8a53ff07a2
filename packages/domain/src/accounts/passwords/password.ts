import { limits } from '../../limits.ts'
import { textUpTo } from '../../values/storable-text.ts'

/** A password that somebody signs in with: a short one is as wrong as any other, and told so alike. */
export const passwordSchema = textUpTo(limits.passwordLengthMax).min(1)

/**
 * A password that somebody sets: the interface's pattern, by whose `i` flag any letter will do. It has no flag here, since none
 * would be in the documentation.
 */
export const newPasswordSchema = textUpTo(limits.passwordLengthMax)
  .min(limits.passwordLengthMin, `must have at least ${limits.passwordLengthMin} characters`)
  .regex(/^(?=.*[A-Za-z])(?=.*\d).*$/, 'must contain a letter and a digit, and no line break')
