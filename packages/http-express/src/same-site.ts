import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a browser may have sent the request for a page of another site, as far as its headers tell.
 * Programs that are no browsers send none of them, and no cookie of somebody else's either.
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

/** The host and port of a URL, as a `Host` header says it; undefined for `null` and other opaque origins. */
export function toHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host || undefined : undefined
}
