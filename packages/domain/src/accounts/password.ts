import { limits } from '../limits.ts'
import { textUpTo } from '../values/storable-text.ts'

/** A password that somebody signs in with: any that could ever have been set. */
export const passwordSchema = textUpTo(limits.passwordLengthMax).min(
  limits.passwordLengthMin,
  `must have at least ${limits.passwordLengthMin} characters`,
)

/** A password that somebody sets: the interface's pattern, by whose `i` flag any letter will do. */
export const newPasswordSchema = passwordSchema.regex(
  /^(?=.*[A-Z])(?=.*\d).*$/i,
  'must hold a letter and a digit, on one line',
)
