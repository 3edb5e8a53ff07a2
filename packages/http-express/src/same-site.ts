import type { IncomingHttpHeaders } from 'node:http'
import { takesPages } from './sign-in-pages.ts'

/**
 * Whether a browser may have sent the request for a page of another site: one that its headers name, or one that they
 * hide. Browsers say `Sec-Fetch-Site` over https alone, and a page can have its links followed without a `Referer`. Other
 * programs send none of these headers, and no cookies of somebody else either.
 */
export function isFromOtherSite(
  headers: IncomingHttpHeaders,
  publicHost: string | undefined,
): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin') return false
  if (site === 'cross-site') return true
  const source = headers.origin ?? headers.referer
  if (source !== undefined) {
    const host = toHost(source)
    return host === undefined || (host !== headers.host?.toLowerCase() && host !== publicHost)
  }
  return site === undefined ? isOfBrowser(headers) : site !== 'none'
}

/** The host and port of a URL in the form of a `Host` header; undefined for `null` and other opaque origins. */
export function toHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host || undefined : undefined
}

/** Every browser says that it is a Mozilla. */
function isOfBrowser(headers: IncomingHttpHeaders): boolean {
  return takesPages(headers) || /^Mozilla\//i.test(headers['user-agent'] ?? '')
}
