import { limits } from '@gateleg/domain/limits'

const sessionName = 'gateleg_session'
const flowName = 'gateleg_sign_in'
const shareName = (shareId: string) => `gateleg_share_${shareId}`
const maxAgeSeconds = limits.sessionDays * 86_400

/** Reads the token of the session cookie from a `Cookie` header; the first one when there are several. */
export function readSessionCookie(header: string): string | undefined {
  return readCookie(header, sessionName)
}

/** The flow in the cookie of a sign-in by a login provider that this browser began last. */
export function readFlowCookie(header: string): string | undefined {
  return readCookie(header, flowName)
}

/** Reads the token of a share in the same way. */
export function readShareCookie(header: string, shareId: string): string | undefined {
  return readCookie(header, shareName(shareId))
}

function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const trimmed = pair.trim()
    if (trimmed.startsWith(name) && trimmed[name.length] === '=') {
      return trimmed.slice(name.length + 1)
    }
  }
  return undefined
}

/** The scope in which browsers send the cookie. */
export interface CookieScope {
  /** The path that the service is mounted at, as browsers know it; `/` when it has the host to itself. */
  readonly path: string
  /** Whether it is for https alone. */
  readonly isSecure: boolean
}

/** The `Set-Cookie` header that sets the session cookie. */
export function openingCookie(token: string, scope: CookieScope): string {
  return toCookie([sessionName, token], maxAgeSeconds, scope)
}

/** The `Set-Cookie` header that clears the session cookie. */
export function closingCookie(scope: CookieScope): string {
  return toCookie([sessionName, ''], 0, scope)
}

/** The `Set-Cookie` header that keeps the flow of a sign-in by a login provider. */
export function flowCookie(flow: string, scope: CookieScope): string {
  return toCookie([flowName, flow], limits.signInFlowMinutes * 60, scope)
}

/** The `Set-Cookie` header that takes it from the browser. */
export function endedFlowCookie(scope: CookieScope): string {
  return toCookie([flowName, ''], 0, scope)
}

/** The `Set-Cookie` header with the token of a share, whose id must be that of an existing share. */
export function shareCookie(
  { shareId, token }: { readonly shareId: string; readonly token: string },
  scope: CookieScope,
): string {
  return toCookie([shareName(shareId), token], limits.shareTokenHours * 3_600, scope)
}

/**
 * The path for the cookie of a service that was reached below `mount` (`/gateleg`; empty for the root). A
 * mount with parameters is what the caller wrote: where that would end the attribute, the cookie is for
 * the whole host.
 */
export function toCookiePath(mount: string): string {
  return /^\/[^;\s]+$/.test(mount) ? mount : '/'
}

function toCookie(
  [name, value]: readonly [name: string, value: string],
  seconds: number,
  { path, isSecure }: CookieScope,
): string {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
