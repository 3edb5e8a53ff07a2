/** What it takes to have a provider sign somebody in. */
export interface OpenIdConnection {
  readonly clientId: string
  readonly clientSecret: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly userInfoUrl: string
  readonly issuer: string
  /** Who made the provider: nobody's may have many questions open at the same time. */
  readonly caller: string
}

/** What ties the answer of a provider to the question. */
export interface OpenIdQuestion {
  /** Where the provider sends the browser back. */
  readonly redirectUri: string
  /** Comes back with the browser. */
  readonly state: string
  /** Comes back in what the provider signs. */
  readonly nonce: string
  /** Proves to the provider that who asks for the answer is who asked the question (PKCE). */
  readonly verifier: string
}

/** What the browser brings back. */
export interface OpenIdReturn {
  readonly code: string
  /** Who says to have sent it back, where it says so. */
  readonly iss?: string | undefined
}

/** What a provider says of somebody. Nothing of it is checked but that it said so. */
export interface OpenIdClaims {
  readonly subject: string
  readonly email: string | undefined
  /** Whether it says that the address is theirs. */
  readonly isEmailVerified: boolean
  /**
   * Whether all of it was said by the issuer itself: everything that was asked, by the browser too, was asked where the issuer
   * publishes that it answers, and nothing elsewhere because the settings of the provider name another place.
   */
  readonly isFromIssuer?: boolean
  readonly name: string | undefined
}

/** Speaks OpenID Connect with login providers: authorization code with PKCE, for a signed answer. */
export interface OpenIdClient {
  /** Where the browser is sent to. Asks nobody. */
  authorizationUrl(connection: OpenIdConnection, question: OpenIdQuestion): Promise<string>
  /**
   * Trades what the browser brought back for what the provider says. `failed_dependency` where the provider can't be
   * reached or doesn't answer in time, or where its answer is not signed by the issuer, not for us, not for this question or
   * out of date; `service_busy` where too much is being asked, and this was not: the code is as good as before.
   */
  identify(
    connection: OpenIdConnection,
    question: OpenIdQuestion,
    answer: OpenIdReturn,
  ): Promise<OpenIdClaims>
}
