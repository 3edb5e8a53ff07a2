import { limits } from '../limits.ts'
import { textUpTo } from './storable-text.ts'

/** The tag of a language (BCP 47), such as `en` or `zh-Hant`. */
export const languageSchema = textUpTo(limits.languageTagLength).regex(
  /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/,
  'must be the tag of a language, such as "en" or "zh-Hant"',
)
