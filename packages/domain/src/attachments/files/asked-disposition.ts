import { z } from 'zod'
import { limits } from '../../limits.ts'
import { textUpTo } from '../../values/storable-text.ts'

/** How a caller wants a file answered: shown where it can be, or saved, and under which name. */
export interface AskedDisposition {
  readonly kind: 'inline' | 'attachment'
  /** Undefined for the file's own. */
  readonly fileName: string | undefined
}

/** A kind, and perhaps a name: in quotes, as a word, and percent-encoded in UTF-8 (RFC 6266). */
const form =
  /^(inline|attachment)(?:; ?filename=(?:"((?:[^"\\]|\\.)*)"|([^\s"\\;,*]+)))?(?:; ?filename\*=UTF-8''([^\s"\\;,]+))?$/i

/** A value of the header Content-Disposition. */
export const askedDispositionSchema = textUpTo(limits.shortTextLength).transform(
  (text, context): AskedDisposition => {
    const [, kind = '', quoted, word, encoded] = form.exec(text.trim()) ?? []
    const decoded = encoded === undefined ? undefined : decode(encoded)
    if (kind === '' || decoded === null) {
      const message =
        'must be inline or attachment, perhaps with a filename: attachment; filename="a.txt"'
      context.issues.push({ code: 'custom', input: text, message })
      return z.NEVER
    }
    const fileName = decoded ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? word
    return { kind: kind.toLowerCase() as AskedDisposition['kind'], fileName }
  },
)

/** Null for what is no text in UTF-8. */
function decode(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}
