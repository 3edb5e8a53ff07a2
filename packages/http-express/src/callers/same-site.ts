import type { IncomingHttpHeaders } from 'node:http'
import { takesPages } from '../pages/sign-in-pages.ts'

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

/**
 * Whether somebody else may have chosen the link that led a browser to the path: on another site, on a page of ours, by a redirect of
 * ours, or in a mail. Our own pages hide where they stand; those that can't, because what they send must say where it
 * comes from, are told by their path. So what is left is a page of the program around the service, and our own page at that path.
 */
export function isLedByOthers(
  headers: IncomingHttpHeaders,
  publicHost: string | undefined,
  path: string,
): boolean {
  if (isFromOtherSite(headers, publicHost)) return true
  const { referer } = headers
  if (referer === undefined) return headers['sec-fetch-site'] !== undefined || isOfBrowser(headers)
  if (!URL.canParse(referer)) return true
  const { pathname } = new URL(referer)
  return signInPages.test(pathname) && !pathname.endsWith(path)
}

/** Where operations are that answer pages. */
const signInPages = /\/api\/(?:auth|oauth)\//

/** The host and port of a URL in the form of a `Host` header; undefined for `null` and other opaque origins. */
export function toHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host || undefined : undefined
}

/** Every browser says that it is a Mozilla. */
function isOfBrowser(headers: IncomingHttpHeaders): boolean {
  return takesPages(headers) || /^Mozilla\//i.test(headers['user-agent'] ?? '')
}
