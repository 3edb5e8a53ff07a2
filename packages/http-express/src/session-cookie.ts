import { limits } from '@gateleg/domain/limits'

const name = 'gateleg_session'
const maxAgeSeconds = limits.sessionDays * 86_400

/** The token in the session cookie of a `Cookie` header; the first one when there are several. */
export function readSessionCookie(header: string): string | undefined {
  for (const pair of header.split(';')) {
    const trimmed = pair.trim()
    if (trimmed.startsWith(name) && trimmed[name.length] === '=') {
      return trimmed.slice(name.length + 1)
    }
  }
  return undefined
}

/** The `Set-Cookie` header that gives the caller their session. */
export function openingCookie(token: string, isSecure: boolean): string {
  return toCookie(token, maxAgeSeconds, isSecure)
}

/** The `Set-Cookie` header that takes the session from the caller. */
export function closingCookie(isSecure: boolean): string {
  return toCookie('', 0, isSecure)
}

function toCookie(value: string, seconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
