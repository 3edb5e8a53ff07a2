import type { Actor } from '@gateleg/domain/access/actor'
import type { Authenticate } from '@gateleg/domain/accounts/operations/authenticate'
import { DomainError } from '@gateleg/domain/errors'
import type { Exchange } from './exchange.ts'
import { isFromOtherSite } from './same-site.ts'
import { readSessionCookie } from './session-cookie.ts'

export interface CallerSettings {
  readonly authenticate: Authenticate
  /** The host by which browsers know the service, when it isn't the one in their `Host` header. */
  readonly publicHost: string | undefined
}

/** Who sent the request; `unauthorized` when that can't be told. */
export async function authenticateRequest(
  { request, method }: Exchange,
  { authenticate, publicHost }: CallerSettings,
): Promise<Exclude<Actor, { kind: 'anonymous' }>> {
  const { authorization, cookie } = request.headers
  const bearer = authorization && readBearerToken(authorization)
  const session = bearer === undefined && cookie ? readSessionCookie(cookie) : undefined
  if (session !== undefined && method !== 'GET' && isFromOtherSite(request.headers, publicHost)) {
    throw new DomainError(
      'restricted_resource',
      'This came from a page of another site: a session only vouches for pages of its own',
    )
  }
  const credential = bearer ?? session
  if (credential === undefined) {
    throw unauthorized('Sign in, or send an access token in the Authorization header')
  }
  const actor = await authenticate(credential)
  if (!actor || actor.kind === 'anonymous') {
    throw unauthorized('The session or access token is unknown, expired or revoked: sign in again')
  }
  return actor
}

/** The token of a bearer header; undefined for other schemes, which say nothing to us. */
function readBearerToken(authorization: string): string | undefined {
  const scheme = authorization.slice(0, 7)
  if (scheme !== 'Bearer ' && scheme.toLowerCase() !== 'bearer ') return undefined
  return authorization.slice(7).trim()
}

function unauthorized(message: string): DomainError {
  return new DomainError('unauthorized', message)
}
