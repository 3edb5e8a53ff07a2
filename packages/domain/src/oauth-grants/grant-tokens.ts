import type { TokenActor } from '../access/actor.ts'
import { toTokenText } from '../access-tokens/token-text.ts'
import { isInLife } from '../accounts/sessions/is-in-life.ts'
import { later, type Timestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import { withParameters } from '../oauth-clients/redirect-uri.ts'
import type { Secrets } from '../secrets.ts'
import type { ReadTx, WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { OAuthGrant } from './oauth-grant.ts'
import type { Question } from './transaction.ts'

/** Seconds for which tokens are good. */
const accessSeconds = limits.oauthTokenMinutes * 60
const refreshSeconds = limits.oauthRefreshDays * 86_400

/** What it takes to give codes and tokens. */
export type GrantContext = CallContext & { readonly tx: WriteTx; readonly secrets: Secrets }

/**
 * A code or refresh token. What it shares with those before and after it tells one that was good once from a guess; the rest
 * is its own.
 */
function toTradeText(
  secrets: Pick<Secrets, 'token'>,
  { id, family }: { readonly id: string; readonly family: string },
): string {
  return `${toTokenText(id, family)}_${secrets.token()}`
}

/** What the code or refresh token shares with all others of its grant. */
export function familyOf(traded: string): string {
  return traded.split('_').at(-2) ?? ''
}

/** Lets the app do what it asked for: where the browser goes with the code. The oldest codes make room. */
export async function giveCode(
  { tx, now, ids, secrets }: GrantContext,
  { clientId, userId, scopes, request, state }: Question,
): Promise<string> {
  const id = ids.next('oauthGrant')
  const family = secrets.token()
  const code = toTradeText(secrets, { id, family })
  const codes = { userId, stage: 'code' } as const
  await tx.oauthGrants.deleteOldest(codes, limits.oauthCodesPerUser - 1)
  await tx.oauthGrants.deleteOldest({ ...codes, clientId }, limits.oauthCodesPerClient - 1)
  await tx.oauthGrants.insert({
    ...{ id, clientId, userId, scopes, request, stage: 'code', isProven: false },
    ...{ familyHash: secrets.digest(family), tradeHash: secrets.digest(code) },
    ...{ accessHash: undefined, accessExpiresTime: undefined, lastUsedTime: undefined },
    ...{ createdTime: now, expiresTime: later(now, limits.oauthCodeMinutes * 60_000) },
  })
  return withParameters(request.redirectUri, { code, state })
}

/** Gives a grant new tokens, in the place of what it had, and answers them. `family` is what its code had in common with them. */
export async function giveTokens(
  { tx, now, secrets }: GrantContext,
  grant: OAuthGrant,
  given: { readonly family: string; readonly isProven: boolean },
) {
  const { id, userId, clientId, scopes } = grant
  const accessToken = toTokenText(id, secrets.token())
  const refreshToken = toTradeText(secrets, { id, family: given.family })
  if (grant.stage === 'code') {
    const tokens = { userId, stage: 'tokens' } as const
    await tx.oauthGrants.deleteOldest(tokens, limits.oauthGrantsPerUser - 1)
    await tx.oauthGrants.deleteOldest({ ...tokens, clientId }, limits.oauthGrantsPerClient - 1)
  }
  await tx.oauthGrants.update({
    ...{ ...grant, stage: 'tokens', isProven: given.isProven },
    tradeHash: secrets.digest(refreshToken),
    accessHash: secrets.digest(accessToken),
    accessExpiresTime: later(now, accessSeconds * 1_000),
    expiresTime: later(now, refreshSeconds * 1_000),
  })
  return {
    ...{ token_type: 'Bearer', access_token: accessToken, refresh_token: refreshToken },
    ...{ expires_in: accessSeconds, refresh_expires_in: refreshSeconds },
    ...{ scopes: [...scopes], scope: scopes.join(' ') },
  }
}

/** Who acts by way of the access token of the grant, within what its app may ask for; undefined where that has ended. */
export async function findAppActor(
  tx: Pick<ReadTx, 'oauthClients'>,
  { id: tokenId, clientId, userId, scopes, accessExpiresTime }: OAuthGrant,
  now: Timestamp,
): Promise<TokenActor | undefined> {
  const lifeMs = accessSeconds * 1_000
  if (accessExpiresTime === undefined || !isInLife(accessExpiresTime, lifeMs, now)) return undefined
  const client = await tx.oauthClients.find(clientId)
  if (!client) return undefined
  return {
    kind: 'token',
    userId,
    tokenId,
    scopes: new Set(scopes).intersection(new Set(client.scopes)),
  }
}
