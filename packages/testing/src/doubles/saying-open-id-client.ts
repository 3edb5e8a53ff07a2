import type {
  OpenIdClaims,
  OpenIdClient,
  OpenIdConnection,
  OpenIdQuestion,
  OpenIdReturn,
} from '@gateleg/domain/identities/open-id-client'

/** What a provider that says whatever it is told to may say. */
export type SaidClaims = Partial<OpenIdClaims> & Pick<OpenIdClaims, 'subject'>

/** The code by which a `SayingOpenIdClient` hears what it is to say. */
export function codeOf(claims: SaidClaims): string {
  return JSON.stringify(claims)
}

/** Stands for a provider whose owner has it say what they like: the code that comes back is what it says. */
export class SayingOpenIdClient implements OpenIdClient {
  /** What was asked so far. */
  readonly asked: { readonly connection: OpenIdConnection; readonly question: OpenIdQuestion }[] =
    []

  async authorizationUrl(
    { authorizationUrl }: OpenIdConnection,
    { state, redirectUri }: OpenIdQuestion,
  ): Promise<string> {
    return `${authorizationUrl}?${new URLSearchParams({ state, redirect_uri: redirectUri })}`
  }

  async identify(
    connection: OpenIdConnection,
    question: OpenIdQuestion,
    { code }: OpenIdReturn,
  ): Promise<OpenIdClaims> {
    this.asked.push({ connection, question })
    const nothing = { email: undefined, isEmailVerified: false, name: undefined }
    return { ...nothing, ...JSON.parse(code) }
  }
}

/** The state that the provider at the URL is given. */
export function stateOf(url: string): string {
  return new URL(url).searchParams.get('state') ?? ''
}
