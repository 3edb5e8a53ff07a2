import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'

/** A verifier and its challenge, as RFC 7636 has them. */
export const provingCode = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
} as const

const asked = fc.record(
  {
    response_type: fc.constantFrom('code', 'code', 'code', 'token'),
    redirect_uri: fc.constantFrom('https://a.example/back', 'http://127.0.0.1:4000/back'),
    scope: fc.constantFrom('', 'record|read', 'record|read base|read', 'nothing'),
    state: fc.constantFrom('s', 'ä'),
    code_challenge: fc.constant(provingCode.challenge),
    code_challenge_method: fc.constantFrom('S256', 'S256', 'plain'),
  },
  { requiredKeys: ['response_type'] },
)

const newest = fc.nat({ max: 2 })

/** What an app says of itself: a secret that was made for it, or none. */
function proofOf({ oauthSecrets }: ScriptState, clientId: string, isProven: boolean) {
  const found = oauthSecrets.all.find((secret) => secret.clientId === clientId)
  return { client_id: clientId, ...(isProven && found && { client_secret: found.text }) }
}

function learnUrl(
  { oauthQuestions, oauthCodes }: ScriptState,
  { url }: { readonly url: string },
  clientId: string,
): void {
  const question = /^decision\/(.+)$/.exec(url)?.[1]
  if (question) oauthQuestions.push({ clientId, id: decodeURIComponent(question) })
  const code = /[?&]code=(\w+)/.exec(url)?.[1]
  if (code) oauthCodes.push({ clientId, text: code })
}

export const oauthGrantOperations: ScriptedFeature<'oauthGrants'> = {
  startAuthorization: scripted({
    weight: 2,
    args: fc.record({ client: ref, asked }),
    toInput: ({ client, asked }, { oauthClients }) => ({
      ...asked,
      client_id: oauthClients.idOf(client),
    }),
    learn: (known, answer: { readonly url: string }, input) =>
      learnUrl(known, answer, String(input.client_id)),
  }),
  getAuthorization: scripted({
    weight: 0.5,
    args: fc.record({ question: newest }),
    toInput: ({ question }, { oauthQuestions }) => ({
      transactionId: oauthQuestions.at(-1 - question)?.id ?? 'none',
    }),
  }),
  decideAuthorization: scripted({
    weight: 1.5,
    args: fc.record({ question: newest, allow: fc.boolean() }),
    toInput: ({ question, allow }, { oauthQuestions }) => ({
      transactionId: oauthQuestions.at(-1 - question)?.id ?? 'none',
      allow,
    }),
    learn: (known, answer: { readonly url: string }, { transactionId }) => {
      const found = known.oauthQuestions.find(({ id }) => id === transactionId)
      learnUrl(known, answer, found?.clientId ?? '')
    },
  }),
  createTokens: scripted({
    weight: 2,
    args: fc.record({
      traded: newest,
      isRefresh: fc.boolean(),
      isProven: fc.boolean(),
      place: fc.constantFrom('https://a.example/back', undefined),
      verifier: fc.constantFrom(provingCode.verifier, undefined),
    }),
    toInput: ({ traded, isRefresh, isProven, place, verifier }, known) => {
      const kept = (isRefresh ? known.oauthRefreshTokens : known.oauthCodes).at(-1 - traded)
      const proof = proofOf(known, kept?.clientId ?? 'oacNone', isProven)
      const text = kept?.text ?? 'none'
      return isRefresh
        ? { ...proof, grant_type: 'refresh_token', refresh_token: text }
        : {
            ...{ ...proof, grant_type: 'authorization_code', code: text },
            ...(place !== undefined && { redirect_uri: place }),
            ...(verifier !== undefined && { code_verifier: verifier }),
          }
    },
    learn: (
      { tokens, oauthRefreshTokens },
      answer: { readonly access_token: string; readonly refresh_token: string },
      { client_id },
    ) => {
      tokens.add({ id: answer.access_token, text: answer.access_token })
      oauthRefreshTokens.push({ clientId: String(client_id), text: answer.refresh_token })
    },
  }),
  revokeToken: scripted({
    weight: 0.5,
    args: fc.record({ token: newest, isProven: fc.boolean(), isGuess: fc.boolean() }),
    toInput: ({ token, isProven, isGuess }, known) => {
      const kept = known.oauthRefreshTokens.at(-1 - token)
      const proof = proofOf(known, kept?.clientId ?? 'oacNone', isProven)
      return { ...proof, token: (!isGuess && kept?.text) || 'none' }
    },
  }),
  listAuthorizedClients: scripted({ weight: 0.5, args: fc.constant({}) }),
  revokeClientAccess: scripted({
    weight: 0.3,
    args: fc.record({ client: ref }),
    toInput: ({ client }, { oauthClients }) => ({ clientId: oauthClients.idOf(client) }),
  }),
}
