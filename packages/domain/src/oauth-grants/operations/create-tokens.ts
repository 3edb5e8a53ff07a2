import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { findTokenId } from '../../access-tokens/token-text.ts'
import { isInLife } from '../../accounts/sessions/is-in-life.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { dayMs } from '../../values/dates/time-zone.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { isChallengeOf } from '../challenge.ts'
import { familyOf, type GrantContext, giveTokens } from '../grant-tokens.ts'
import { oauthError, oauthInvalid } from '../oauth-error.ts'
import type { CodeRequest, OAuthGrant } from '../oauth-grant.ts'
import { clientProof, type ProvenClient, proveClient, secretText } from '../prove-client.ts'
import { toScopes } from '../scope-text.ts'

const tokenRequestSchema = z.object({
  ...clientProof,
  grant_type: textUpTo(limits.shortTextLength).describe('`authorization_code` or `refresh_token`'),
  code: secretText.optional().describe('The code that the browser brought'),
  redirect_uri: textUpTo(limits.redirectUriLength)
    .optional()
    .describe('That of the request for the code, if it had one'),
  code_verifier: textUpTo(limits.shortTextLength)
    .optional()
    .describe('What the `code_challenge` of that request was made of'),
  refresh_token: secretText.optional().describe('The newest one'),
  scope: textUpTo(limits.oauthScopeLength)
    .optional()
    .describe(
      'With a refresh token: none but what the user allowed. The new tokens have all of that',
    ),
})

type TokenRequest = z.output<typeof tokenRequestSchema>

const tokensOutput = z
  .object({
    token_type: z.string().describe('`Bearer`'),
    access_token: z.string().describe('Shown this once'),
    refresh_token: z.string().describe('Shown this once'),
    expires_in: z.int().describe('Seconds for which the access token is good'),
    refresh_expires_in: z.int().describe('Seconds for which the refresh token is good'),
    scopes: z.array(z.string()).describe('The actions that the access token may be used for'),
    scope: z.string().describe('The same with spaces between them'),
  })
  .meta({ id: 'OAuthTokens' })

/** Trades a code, or a refresh token, for tokens, once. One that was traded before ends all that was made of it. */
export const createTokens = defineWrite({
  summary: 'Trade a code or a refresh token of an OAuth app for tokens',
  input: tokenRequestSchema,
  output: tokensOutput,
  answers: 'secret',
  access: anyone(),
  needs: ['secrets'],
  run: async (context, request) => {
    const stage = stageOf(request)
    if (stage instanceof DomainError) return stage
    const proven = await proveClient(context, request)
    if (proven instanceof DomainError) return proven
    const traded = (stage === 'code' ? request.code : request.refresh_token) ?? ''
    const grant = await findTraded(context, { traded, stage }, proven)
    if (grant instanceof DomainError) return grant
    const { isProven } = proven
    if (stage === 'code' && !isOfRequest(context, grant.request, request, isProven))
      return notGood()
    if (stage === 'tokens' && isWider(grant, request)) {
      const rule = 'must name actions that the user has allowed: ask for a new code to get more'
      return oauthInvalid('invalid_scope', { member: 'scope', rule })
    }
    return giveTokens(context, grant, { family: familyOf(traded), isProven })
  },
})

/** What is traded; the refusal where the request doesn't say it. */
function stageOf(request: TokenRequest): OAuthGrant['stage'] | DomainError {
  switch (request.grant_type) {
    case 'authorization_code':
      return request.code ? 'code' : missing('code', 'must be the code')
    case 'refresh_token':
      return request.refresh_token
        ? 'tokens'
        : missing('refresh_token', 'must be the newest refresh token')
    default:
      return oauthInvalid('unsupported_grant_type', {
        member: 'grant_type',
        rule: 'must be authorization_code or refresh_token',
      })
  }
}

function missing(member: string, rule: string): DomainError {
  return oauthInvalid('invalid_request', { member, rule })
}

/**
 * The living grant that the text is of, held for update. A text that was good once, and is no more, was copied by somebody: the
 * grant ends, and with it what was made of that.
 */
async function findTraded(
  { tx, now, secrets }: GrantContext,
  { traded, stage }: { readonly traded: string; readonly stage: OAuthGrant['stage'] },
  { client, isProven, forgive }: ProvenClient,
): Promise<OAuthGrant | DomainError> {
  const grant = await tx.oauthGrants.find(findTokenId(traded) ?? '', 'update')
  const isGenuine =
    grant?.clientId === client.id &&
    secrets.equal(grant.familyHash, secrets.digest(familyOf(traded)))
  if (!isGenuine) return notGood()
  await forgive()
  if (grant.isProven && !isProven) return notGood()
  if (!secrets.equal(grant.tradeHash, secrets.digest(traded))) {
    await tx.oauthGrants.delete(grant.id)
    return notGood()
  }
  const isGood =
    grant.stage === stage && isInLife(grant.expiresTime, limits.oauthRefreshDays * dayMs, now)
  return isGood ? grant : notGood()
}

/** Whether the app says again what it asked for the code with. */
function isOfRequest(
  { secrets }: GrantContext,
  { redirectUri, isPlaceNamed, challenge }: CodeRequest,
  { redirect_uri: place, code_verifier: verifier }: TokenRequest,
  isProven: boolean,
): boolean {
  if (place === undefined ? isPlaceNamed : place !== redirectUri) return false
  // An app that had a secret when it asked needed no challenge; it may have none of either by now.
  if (challenge === undefined && !isProven) return false
  // A verifier without a challenge: somebody took the challenge out of the request.
  if (challenge === undefined || verifier === undefined) return challenge === verifier
  return isChallengeOf(secrets, { challenge, verifier })
}

/** Whether the app asks for more than its user let it do (RFC 6749, 6). */
function isWider({ scopes }: OAuthGrant, { scope }: TokenRequest): boolean {
  const allowed = new Set<string>(scopes)
  return toScopes(scope).some((one) => !allowed.has(one))
}

function notGood(): DomainError {
  return oauthError(
    'invalid_grant',
    'The code or refresh token is wrong, used or expired, or was asked for otherwise: ask for a new code',
  )
}
