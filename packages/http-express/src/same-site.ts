import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether the headers show that a browser may have sent the request for a page of another site. Other programs send
 * none of these headers, and no cookies of somebody else either.
 */
export function isFromOtherSite(
  headers: IncomingHttpHeaders,
  publicHost: string | undefined,
): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true
  const source = headers.origin ?? headers.referer
  if (source === undefined) return false
  const host = toHost(source)
  return host === undefined || (host !== headers.host?.toLowerCase() && host !== publicHost)
}

/** The host and port of a URL in the form of a `Host` header; undefined for `null` and other opaque origins. */
export function toHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host || undefined : undefined
}
