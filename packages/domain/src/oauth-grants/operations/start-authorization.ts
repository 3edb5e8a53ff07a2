import { z } from 'zod'
import { type Action, actions } from '../../access/roles.ts'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { DomainError, type Issue, invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { parseInput } from '../../input/parse-input.ts'
import { limits } from '../../limits.ts'
import type { OAuthClient } from '../../oauth-clients/oauth-client.ts'
import { isLoopback, isSamePlace, withParameters } from '../../oauth-clients/redirect-uri.ts'
import type { ReadTx } from '../../store.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { challengeForm } from '../challenge.ts'
import { giveCode } from '../grant-tokens.ts'
import { toScopes } from '../scope-text.ts'
import { type Question, toTransactionId } from '../transaction.ts'

/** Taken as it comes, said twice or not at all, up to more than any address holds: what is wrong with it is told the app (RFC 6749, 4.1.2.1), not the browser. */
const sentText = textUpTo(limits.publicBodyBytes)
const asSent = z.union([sentText, z.array(sentText).max(limits.publicBodyBytes)]).optional()

const sentSchema = z.object({
  client_id: idSchema.describe('The id of the app'),
  response_type: asSent.describe('`code`: no other is known'),
  redirect_uri: textUpTo(limits.redirectUriLength)
    .optional()
    .describe('One of the places that the app has registered; needed where it has several'),
  scope: asSent.describe(
    'The actions that it asks for, with spaces between them; all of its own when absent',
  ),
  state: asSent.describe('What the browser is to bring back'),
  code_challenge: asSent.describe(
    'A SHA-256 digest of the verifier, as base64url; needed by apps without a secret',
  ),
  code_challenge_method: asSent.describe('`S256`: no other is taken'),
})

const said = (characters: number) => textUpTo(characters, undefined, 'must be sent once')

/** What an app asks for at its place. */
const askedSchema = z.object({
  response_type: said(limits.shortTextLength).min(1, 'is required'),
  scope: said(limits.oauthScopeLength).optional(),
  state: said(limits.oauthStateLength)
    .regex(/^[\x20-\x7e]*$/, 'must have printable ASCII characters only')
    .optional(),
  code_challenge: said(limits.shortTextLength).optional(),
  code_challenge_method: said(limits.shortTextLength).optional(),
})

/**
 * Begins to let an app act for the caller: the browser goes to where that is asked, or back to the app at once, where the
 * caller has allowed as much before.
 */
export const startAuthorization = defineWrite({
  summary: 'Begin to authorize an OAuth app',
  input: sentSchema,
  output: z.object({
    url: z
      .string()
      .describe(
        'Where the browser is to go: back to the app, or to the question, as an address relative to this operation',
      ),
  }),
  answers: 'secret',
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['secrets'],
  run: async (context, sent) => {
    const { tx, userId, now, secrets } = context
    const client = await tx.oauthClients.find(sent.client_id)
    // What it was is not said again: apps have sent a secret in its place.
    if (!client) throw new DomainError('not_found', 'There is no OAuth app of this client_id')
    const redirectUri = placeOf(client, sent.redirect_uri)
    const parsed = parseInput(askedSchema, sent)
    if ('issues' in parsed) {
      return { url: withParameters(redirectUri, { ...toRefusal(parsed.issues), ...stateOf(sent) }) }
    }
    const asked = parsed.data
    const { state } = asked
    const refusal = refusalOf(client, asked)
    if (refusal) return { url: withParameters(redirectUri, { ...refusal, state }) }
    const scopes = askedScopes(client, asked.scope)
    const isPlaceNamed = sent.redirect_uri !== undefined
    const request = { redirectUri, isPlaceNamed, challenge: asked.code_challenge }
    const question: Question = { clientId: client.id, userId, scopes, request, state }
    const isAllowed = isKnown(client, redirectUri) && (await hasAllowed(tx, question, now))
    if (isAllowed) return { url: await giveCode(context, question) }
    return { url: `decision/${encodeURIComponent(toTransactionId(secrets, question, now))}` }
  },
})

/** Where the browser goes back to; nobody is sent to a place that the app hasn't registered, not even with an error. */
function placeOf({ redirectUris }: OAuthClient, asked: string | undefined): string {
  const [only, ...others] = redirectUris
  if (asked === undefined && only !== undefined && others.length === 0) return only
  if (asked !== undefined && redirectUris.some((one) => isSamePlace(one, asked))) return asked
  throw invalidAt(
    ['redirect_uri'],
    'must be one that the app has registered, letter by letter; it may be left out where the app has one alone',
  )
}

/** What the app is told of a request that is wrong by itself; ASCII without quotes, as descriptions are to be. */
function toRefusal([first]: readonly Issue[]) {
  const error_description = `${first?.path.join('.')} ${first?.message}`
  return { error: 'invalid_request', error_description }
}

/** The state as it came, which the app looks for in every answer; none where it came twice. */
function stateOf({ state }: z.output<typeof sentSchema>) {
  return typeof state === 'string' ? { state } : {}
}

/** What the app is told in the browser, if it asks for something that it can't have; see RFC 6749, 4.1.2.1. */
function refusalOf(client: OAuthClient, asked: z.output<typeof askedSchema>) {
  const refuse = (error: string, error_description: string) => ({ error, error_description })
  if (asked.response_type !== 'code') {
    return refuse('unsupported_response_type', 'response_type must be code')
  }
  const unknown = toScopes(asked.scope).find((one) => !client.scopes.some((own) => own === one))
  if (unknown !== undefined) {
    return refuse('invalid_scope', 'scope must name actions that the app has registered')
  }
  const { code_challenge: challenge, code_challenge_method: method } = asked
  if (challenge === undefined && method === undefined) {
    if (client.secrets.length > 0) return undefined
    return refuse('invalid_request', 'code_challenge is needed: the app has no secret')
  }
  if (method !== 'S256' || !challengeForm.test(challenge ?? '')) {
    return refuse('invalid_request', 'code_challenge must be made by code_challenge_method=S256')
  }
  return undefined
}

/** The scopes that are asked for, in the order of all actions. */
function askedScopes({ scopes }: OAuthClient, scope: string | undefined): readonly Action[] {
  if (scope === undefined) return scopes
  const asked = new Set(toScopes(scope))
  return actions.filter((action) => asked.has(action))
}

/** Whether nobody but the app can be at the place: on the machine of the browser any program may listen, which then has no secret. */
function isKnown({ secrets }: OAuthClient, redirectUri: string): boolean {
  return secrets.length > 0 || !isLoopback(redirectUri)
}

/** Whether the user lets the app do all of it already. */
async function hasAllowed(
  tx: Pick<ReadTx, 'oauthGrants'>,
  { userId, clientId, scopes }: Question,
  now: string,
): Promise<boolean> {
  const grants = await tx.oauthGrants.listOf(userId)
  return grants.some(
    (grant) =>
      grant.clientId === clientId &&
      grant.expiresTime > now &&
      scopes.every((scope) => grant.scopes.includes(scope)),
  )
}
