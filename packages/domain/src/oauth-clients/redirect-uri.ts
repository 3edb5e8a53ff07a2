import { limits } from '../limits.ts'
import { storableTextUpTo } from '../values/storable-text.ts'
import { isWebUrl } from '../values/web-url.ts'

const rule =
  'must be a URL that begins with https://, or with http:// on this machine (127.0.0.1, [::1] or localhost), with a host as the DNS or IP has them, without a user name, a password or a fragment'

/** Where browsers are sent with a code: kept as it is sent, and compared letter by letter. */
export const redirectUriSchema = storableTextUpTo(limits.redirectUriLength).refine(
  isRedirectUri,
  rule,
)

/** Whether the text is a place to which a code may be sent. */
function isRedirectUri(text: string): boolean {
  if (!isWebUrl(text) || text.includes('#')) return false
  return text.toLowerCase().startsWith('https://') || isLoopback(text)
}

/** A place on the machine of the browser, where an app listens that runs there. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/

/** Whether the place is on the machine of the browser: any program there may listen to it. */
export function isLoopback(uri: string): boolean {
  return loopback.test(uri)
}

/**
 * Whether the place is the one that was registered: the same letter by letter, but for the port on the machine of the
 * browser, which the app has as it begins (RFC 8252).
 */
export function isSamePlace(registered: string, asked: string): boolean {
  if (asked === registered) return true
  return isLoopback(asked) && isRedirectUri(asked) && withoutPort(asked) === withoutPort(registered)
}

function withoutPort(uri: string): string {
  return uri.replace(loopback, 'http://$1')
}

/** The place with more parameters behind those that it has. */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) added.append(name, value)
  }
  return `${uri}${uri.includes('?') ? '&' : '?'}${added}`
}
