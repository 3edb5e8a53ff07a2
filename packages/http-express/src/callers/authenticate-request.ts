import type { KnownActor, ShareActor } from '@gateleg/domain/access/actor'
import { notSignedIn } from '@gateleg/domain/access/guard'
import type { Authenticate } from '@gateleg/domain/accounts/operations/authenticate'
import { DomainError } from '@gateleg/domain/errors'
import type { Exchange } from '../exchange/exchange.ts'
import { isFromOtherSite } from './same-site.ts'
import { readSessionCookie, readShareCookie } from './session-cookie.ts'

/** What it takes to find out who calls. */
export interface CallerSettings {
  readonly authenticate: Authenticate
  /** The host by which browsers know the service, when it isn't the one in their `Host` header. */
  readonly publicHost: string | undefined
}

/**
 * Finds out who sent the request; throws `unauthorized` when that isn't known. With `mayVerifyLater`, the call may be what looks the
 * credential up.
 */
export async function authenticateRequest(
  { request, method, operation }: Exchange,
  { authenticate, publicHost }: CallerSettings,
  mayVerifyLater = false,
): Promise<KnownActor> {
  const { authorization, cookie } = request.headers
  const bearer = authorization && readBearerToken(authorization)
  const session = bearer === undefined && cookie ? readSessionCookie(cookie) : undefined
  if (session !== undefined && method !== 'GET' && isFromOtherSite(request.headers, publicHost)) {
    throw new DomainError(
      'restricted_resource',
      'This request came from a page of another site, or from a browser that does not say from which: a session cookie is accepted only from pages of its own site',
    )
  }
  const credential = bearer ?? session
  if (credential === undefined) {
    throw notSignedIn(operation?.useCase.access.requirement ?? { sessionOnly: false })
  }
  const actor = await authenticate(credential, { mayVerifyLater })
  if (!actor || actor.kind === 'anonymous' || actor.kind === 'share') {
    throw unauthorized('The session or access token is unknown, expired or revoked: sign in again')
  }
  return actor
}

/** What a visitor of a share sends besides its link. */
interface VisitorSettings {
  readonly shareId: string
  /** Whether it matters who has signed in. */
  readonly asksWho: boolean
}

/**
 * Finds out who visits a share. A credential that isn't valid is ignored, because it depends on the share whether one
 * is needed.
 */
export async function authenticateVisitor(
  exchange: Exchange,
  settings: CallerSettings,
  { shareId, asksWho }: VisitorSettings,
): Promise<ShareActor> {
  const { cookie, ...headers } = exchange.request.headers
  const header = headers[shareTokenHeader]
  const sent = typeof header === 'string' ? header : cookie && readShareCookie(cookie, shareId)
  const visitor = sent ? await settings.authenticate(sent) : undefined
  const proven = visitor?.kind === 'share' ? visitor.proven : undefined
  const user = asksWho ? await findSignedIn(exchange, settings) : undefined
  return { kind: 'share', ...(proven && { proven }), ...(user && { user }) }
}

/** Lower case, as Node has the names of headers. */
const shareTokenHeader = 'x-share-token'

async function findSignedIn(
  exchange: Exchange,
  settings: CallerSettings,
): Promise<KnownActor | undefined> {
  try {
    return await authenticateRequest(exchange, settings)
  } catch (error) {
    if (error instanceof DomainError && refusals.has(error.code)) return undefined
    throw error
  }
}

/** What is said of a credential that is none, or that a page of another site can't make use of. */
const refusals: ReadonlySet<string> = new Set(['unauthorized', 'restricted_resource'])

/** The token of a bearer header; undefined for other schemes, which say nothing to us. */
function readBearerToken(authorization: string): string | undefined {
  const scheme = authorization.slice(0, 7)
  if (scheme !== 'Bearer ' && scheme.toLowerCase() !== 'bearer ') return undefined
  return authorization.slice(7).trim()
}

function unauthorized(message: string): DomainError {
  return new DomainError('unauthorized', message)
}
