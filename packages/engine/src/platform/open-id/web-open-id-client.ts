import { DomainError } from '@gateleg/domain/errors'
import type {
  OpenIdClaims,
  OpenIdClient,
  OpenIdConnection,
  OpenIdQuestion,
  OpenIdReturn,
} from '@gateleg/domain/identities/open-id-client'
import { limits } from '@gateleg/domain/limits'
import type {
  Configuration,
  CustomFetch,
  IDToken,
  ServerMetadata,
  UserInfoResponse,
} from 'openid-client'
import { askWeb, type WebQuestion } from '../web-files/ask-web.ts'
import { OpenPlaces, type OpenPlacesOptions } from '../web-files/open-places.ts'
import { toProviderFailure } from './provider-failure.ts'
import { SignInPlaces } from './sign-in-places.ts'

export interface WebOpenIdOptions extends OpenPlacesOptions {
  /** Milliseconds that one sign-in may wait for its turn, and then those that all may take that is asked of its provider. */
  readonly totalMs?: number
}

/** Loaded when somebody signs in by a provider: most instances never need it. */
const load = () => import('openid-client')

type Library = Awaited<ReturnType<typeof load>>

/**
 * Speaks OpenID Connect over http and https. Providers are asked at public addresses alone, as files are fetched from those, and no redirect
 * of theirs is followed: the secret goes where the owner has it go.
 */
export class WebOpenIdClient implements OpenIdClient {
  readonly #open: OpenPlaces
  readonly #totalMs: number
  readonly #places = new SignInPlaces()

  /** Throws a TypeError for networks that are none. */
  constructor({ totalMs, ...open }: WebOpenIdOptions = {}) {
    this.#open = new OpenPlaces(open)
    this.#totalMs = totalMs ?? limits.openIdSeconds * 1_000
  }

  async authorizationUrl(
    connection: OpenIdConnection,
    { redirectUri, state, nonce, verifier }: OpenIdQuestion,
  ): Promise<string> {
    const library = await load()
    const { issuer, clientId, authorizationUrl } = connection
    const server = { issuer, authorization_endpoint: authorizationUrl }
    const config = new library.Configuration(server, clientId)
    if (isPlain(authorizationUrl)) library.allowInsecureRequests(config)
    const url = library.buildAuthorizationUrl(config, {
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: redirectUri,
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return url.href
  }

  async identify(
    connection: OpenIdConnection,
    question: OpenIdQuestion,
    answer: OpenIdReturn,
  ): Promise<OpenIdClaims> {
    const library = await load()
    const leave = await this.#places.take(connection.caller, AbortSignal.timeout(this.#totalMs))
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), this.#totalMs)
    try {
      const { config, published } = await this.#configure(library, connection, controller.signal)
      const claims = await identifyBy(library, config, question, answer)
      return { ...claims, isFromIssuer: asksIssuer(connection, published) }
    } catch (error) {
      throw toRefusal(error, controller.signal, sentTo(connection, question, answer))
    } finally {
      clearTimeout(timer)
      controller.abort()
      leave()
    }
  }

  /** The settings of the owner, and what the issuer publishes of its keys and ways. */
  async #configure(
    library: Library,
    { issuer, clientId, clientSecret, authorizationUrl, tokenUrl, userInfoUrl }: OpenIdConnection,
    signal: AbortSignal,
  ): Promise<{ config: Configuration; published: ServerMetadata }> {
    const ask = this.#fetchUntil(signal)
    const plain = isPlain(issuer) ? [library.allowInsecureRequests] : []
    const found = await library.discovery(new URL(issuer), clientId, undefined, undefined, {
      [library.customFetch]: ask,
      execute: plain,
    })
    const published = found.serverMetadata()
    // The library lets some services publish another name than the one that was asked for.
    if (new URL(published.issuer).href !== new URL(issuer).href) throw new Error('another issuer')
    const server = {
      issuer: published.issuer,
      authorization_endpoint: authorizationUrl,
      token_endpoint: tokenUrl,
      userinfo_endpoint: userInfoUrl,
      ...pick(published, [
        'jwks_uri',
        'id_token_signing_alg_values_supported',
        'authorization_response_iss_parameter_supported',
      ]),
    }
    // The way that every provider has that says nothing else.
    const ways = published.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = ways.includes('client_secret_basic')
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret)
    const config = new library.Configuration(server, clientId, clientSecret, way)
    config[library.customFetch] = ask
    for (const extend of [...plain, library.enableNonRepudiationChecks]) extend(config)
    return { config, published }
  }

  /** Asks as the library wants it, where anybody may ask, for so many bytes, until the signal. */
  #fetchUntil(signal: AbortSignal): CustomFetch {
    return async (place, { method, headers, body }) => {
      const sent = body === undefined || body === null ? {} : { body: String(body) }
      const answer = await this.#ask(new URL(place), { method, headers, ...sent }, signal)
      const { statusCode = 0 } = answer.head
      const hasBody = ![101, 204, 205, 304].includes(statusCode)
      return new Response(hasBody ? answer.body : null, {
        status: statusCode,
        headers: { 'Content-Type': answer.head.headers['content-type'] ?? '' },
      })
    }
  }

  async #ask(url: URL, question: WebQuestion, signal: AbortSignal) {
    try {
      const addresses = await this.#open.addressesOf(url, signal)
      const head = await askWeb(url, addresses, signal, question)
      const pieces: Uint8Array[] = []
      let size = 0
      for await (const piece of head) {
        size += piece.length
        if (size > limits.openIdAnswerBytes) throw new Error('The answer is too long')
        pieces.push(piece)
      }
      return { head, body: Buffer.concat(pieces) }
    } catch (cause) {
      throw new Unreachable('No whole answer came', { cause })
    }
  }
}

/** Whether everything that the settings have asked is asked where the issuer publishes that it answers. */
function asksIssuer(
  { authorizationUrl, tokenUrl, userInfoUrl }: OpenIdConnection,
  published: ServerMetadata,
): boolean {
  const isSame = (set: string, found: string | undefined) =>
    found !== undefined && URL.canParse(found) && new URL(found).href === new URL(set).href
  return (
    isSame(authorizationUrl, published.authorization_endpoint) &&
    isSame(tokenUrl, published.token_endpoint) &&
    isSame(userInfoUrl, published.userinfo_endpoint)
  )
}

async function identifyBy(
  library: Library,
  config: Configuration,
  { redirectUri, state, nonce, verifier }: OpenIdQuestion,
  { code, iss }: OpenIdReturn,
): Promise<OpenIdClaims> {
  const url = new URL(redirectUri)
  url.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString()
  const tokens = await library.authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const signed = tokens.claims()
  if (!signed) throw new Error('The answer has no ID token')
  const told = await library.fetchUserInfo(config, tokens.access_token, signed.sub)
  // An address and whether it is verified are said by one source: what one says proves nothing of what the other says.
  const source = signed.email === undefined ? told : signed
  return {
    subject: signed.sub,
    email: textOf(source, 'email'),
    isEmailVerified: source.email_verified === true,
    name: textOf(told, 'name') ?? textOf(signed, 'name'),
  }
}

function textOf(source: IDToken | UserInfoResponse, member: string): string | undefined {
  const value = source[member]
  return typeof value === 'string' ? value : undefined
}

/** Only the settings of providers on this machine may be without encryption. */
function isPlain(url: string): boolean {
  return new URL(url).protocol === 'http:'
}

function pick<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  names: readonly Name[],
): Pick<Whole, Name> {
  const found = names.filter((name) => whole[name] !== undefined)
  return Object.fromEntries(found.map((name) => [name, whole[name]])) as Pick<Whole, Name>
}

/** What a provider is sent that is secret. */
function sentTo(
  { clientId, clientSecret }: OpenIdConnection,
  { verifier }: OpenIdQuestion,
  { code }: OpenIdReturn,
): readonly string[] {
  return [clientSecret, verifier, code, `${inHeader(clientId)}:${inHeader(clientSecret)}`]
}

/** How the library writes an id or a secret in a header, before it makes base64 of both. */
function inHeader(text: string): string {
  const toEscape = (one: string) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[-_.!~*'()]/g, toEscape)
}

/** What is told of any failure: nothing of what was answered. The cause stands in the log. */
function toRefusal(error: unknown, { aborted }: AbortSignal, sent: readonly string[]): unknown {
  if (error instanceof DomainError) return error
  const isSilent = aborted || wasUnreachable(error)
  const message = isSilent
    ? 'The login provider could not be reached, or did not answer in time: try again in a while'
    : 'The login provider answered what proves nothing of who you are: begin again, or ask an owner to look at its settings'
  const cause = isSilent ? error : toProviderFailure(error, sent)
  return Object.assign(new DomainError('failed_dependency', message), { cause })
}

/** No whole answer came, for whatever reason. */
class Unreachable extends Error {}

/** The library wraps what its way to ask throws. */
function wasUnreachable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof Unreachable) return true
  }
  return false
}
