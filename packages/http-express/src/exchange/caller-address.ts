import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { ServedRequest } from './served-request.ts'

/** Whether the address is that of a trusted proxy; `index` counts hops, starting at the socket. */
export type TrustProxy = (address: string, index: number) => boolean

/**
 * The address of the caller: that of the socket or, behind trusted proxies, the one from which the request reached
 * the first of them. Proxies append to the header, so it is read from its end: what the caller wrote comes before
 * what the first trusted proxy added, and is never reached. Express's own `request.ip` doesn't fit: it doesn't read
 * `Forwarded`, and returns whatever is in the header, with a port or without any address.
 */
export function callerAddress(
  socketAddress: string | undefined,
  headers: IncomingHttpHeaders,
  trusts: TrustProxy,
): string | undefined {
  let address = socketAddress
  const hops = hopsOf(headers)
  for (let index = 0; address !== undefined && index < hops.length; index++) {
    if (!trusts(address, index)) return address
    const hop = hops[hops.length - 1 - index] as string
    // A proxy that can't name an address has the calls counted as its own.
    if (isIP(hop) === 0) return address
    address = hop
  }
  return address
}

/** The address of the caller of a request, as the app or, where it says nothing, the one that it is mounted in trusts proxies. */
export function addressOf(
  { headers, socket, app }: ServedRequest,
  trusts: TrustProxy | undefined,
): string | undefined {
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers
  if (!isForwarded) return socket.remoteAddress
  const trusted = trusts ?? (app?.get('trust proxy fn') as TrustProxy | undefined) ?? trustsNobody
  return callerAddress(socket.remoteAddress, headers, trusted)
}

const trustsNobody: TrustProxy = () => false

/** Hops that were passed through, the caller first; `X-Forwarded-For` where both headers are there. */
function hopsOf(headers: IncomingHttpHeaders): readonly string[] {
  const listed = headers['x-forwarded-for']
  if (listed !== undefined) return String(listed).split(',').map(withoutPort)
  const { forwarded } = headers
  if (forwarded === undefined) return []
  return forwarded.split(',').map((element) => withoutPort(forOf(element)))
}

/** What an element of `Forwarded` says after `for=`; empty when it says nothing. */
function forOf(element: string): string {
  for (const pair of element.split(';')) {
    const [name = '', value = ''] = pair.split('=', 2)
    if (name.trim().toLowerCase() === 'for') return value.trim().replace(/^"([^"]*)"$/, '$1')
  }
  return ''
}

/** `1.2.3.4` of `1.2.3.4:80`, `::1` of `[::1]:80`. */
function withoutPort(hop: string): string {
  const text = hop.trim()
  if (text.startsWith('[')) return text.slice(1, Math.max(1, text.indexOf(']')))
  const colon = text.indexOf(':')
  return colon !== -1 && text.indexOf(':', colon + 1) === -1 ? text.slice(0, colon) : text
}
