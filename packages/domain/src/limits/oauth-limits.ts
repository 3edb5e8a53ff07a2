/** Maxima of OAuth apps and of what people let them do: a part of `limits`. */
export const oauthLimits = {
  oauthClientsPerUser: 50,
  /** Secrets that one app has: an old one and a new one while they are exchanged, and those of several servers. */
  oauthSecretsPerClient: 5,
  redirectUrisPerClient: 10,
  redirectUriLength: 500,
  /** Characters of what an app gives the browser to bring back; some put a signed text there. */
  oauthStateLength: 1_000,
  /** Characters of the scopes that an app asks for, as one text: more than all of them have. */
  oauthScopeLength: 2_000,
  /** Characters of the id of a question: it says all that was asked. */
  oauthTransactionLength: 8_000,
  /** Minutes for which somebody may think about it. */
  oauthDecisionMinutes: 10,
  /** Minutes for which a code is good: as long as a browser takes to hand it on. */
  oauthCodeMinutes: 5,
  /** Minutes for which an access token is good, and days for which it can be renewed. */
  oauthTokenMinutes: 60,
  oauthRefreshDays: 30,
  /** Tokens and codes that apps have of one user. */
  oauthGrantsPerUser: 200,
  oauthCodesPerUser: 50,
  /** Of these, those of one app: as many devices as people have. */
  oauthGrantsPerClient: 10,
  oauthCodesPerClient: 5,
} as const
