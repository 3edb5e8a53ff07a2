import { limits } from '../limits.ts'
import { textUpTo } from '../values/storable-text.ts'

const rule =
  'must be a path of this site, such as /bases: one slash, then letters that a URL may have'

/**
 * A path of our own site, as it is sent. Browsers read `//host` and `/\host` as another site and drop tabs and line breaks, so
 * nothing passes but what a URL has as it is.
 */
export const sitePathSchema = textUpTo(limits.signInPathLength).regex(
  /^\/(?![/\\])[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/,
  rule,
)

/** The path as a URL of the site at the public address. */
export function toSiteUrl(publicUrl: string, path: string): string {
  return new URL(publicUrl).origin + path
}
