import type { Operation } from '@gateleg/contract/operation'
import { assert } from '@gateleg/domain/errors'
import { provenBy } from '@gateleg/domain/shares/share-token'
import type { Exchange } from '../exchange/exchange.ts'
import type { Headers } from '../security-headers.ts'
import {
  type CookieScope,
  closingCookie,
  endedFlowCookie,
  flowCookie,
  openingCookie,
  shareCookie,
  toCookiePath,
} from './session-cookie.ts'

/** The scope of cookies. */
interface CookieSettings {
  /** The path at which browsers reach the service, where that isn't the mount's; without a slash at its end. */
  readonly publicPath: string | undefined
  /** Whether cookies are for https alone. */
  readonly isHttps: boolean
}

const none: Headers = {}

/** The cookie headers of the operation's successful answer. */
export function toCookieHeaders(
  { cookie }: Operation,
  result: unknown,
  { request }: Exchange,
  { publicPath, isHttps }: CookieSettings,
): Headers {
  if (cookie === undefined) return none
  const path = toCookiePath(publicPath ?? request.baseUrl ?? '')
  const scope: CookieScope = { path, isSecure: isHttps }
  if (cookie === 'closes') return { 'Set-Cookie': closingCookie(scope) }
  if (cookie === 'proves') {
    const { token } = result as { readonly token: string }
    const { shareId } = provenBy(token)
    return { 'Set-Cookie': shareCookie({ shareId, token }, scope) }
  }
  if (cookie === 'begins') {
    const { flow } = result as { readonly flow: string }
    return { 'Set-Cookie': flowCookie(flow, scope) }
  }
  const { accessToken } = result as { accessToken?: unknown }
  if (cookie === 'finishes') {
    const opened = typeof accessToken === 'string' ? [openingCookie(accessToken, scope)] : []
    return { 'Set-Cookie': [endedFlowCookie(scope), ...opened] }
  }
  assert(typeof accessToken === 'string', 'an operation that opens a session answers its token')
  return { 'Set-Cookie': openingCookie(accessToken, scope) }
}
