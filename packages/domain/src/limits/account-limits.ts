/** Maxima of sessions, tokens, passwords and of how often somebody calls: a part of `limits`. */
export const accountLimits = {
  accessTokensPerUser: 100,
  /** Spaces, and bases, that one access token may name: they are read on every call it makes. */
  placesPerAccessToken: 100,
  sessionsPerUser: 100,
  /** Minutes after which a session is no proof any more of who opened it, for what takes the password else. */
  freshSessionMinutes: 10,
  /** Spaces that go with the account of their only owner: each is taken apart in the transaction. */
  spacesEndedWithAccount: 100,
  /** Login providers of a space: more than a login page shows. */
  loginProvidersPerSpace: 20,
  /** Accounts elsewhere by which one user signs in. */
  identitiesPerUser: 20,
  /** Minutes that a sign-in by a login provider may take, from its beginning to its return. */
  signInFlowMinutes: 10,
  /** Characters of the path that a sign-in by a login provider leads to: it has to fit a cookie. */
  signInPathLength: 500,
  /** Characters of what a browser keeps of a sign-in, signed: a cookie has 4,096 bytes at most. */
  signInFlowLength: 4_000,
  /** Characters of the name that a login provider gives somebody (OpenID Connect). */
  subjectLength: 255,
  /** Bytes of one answer of a login provider, and seconds that all that it is asked for one sign-in may take. */
  openIdAnswerBytes: 256 * 1024,
  openIdSeconds: 10,
  /** Sign-ins by login providers that are under way, in all and at those that one user made; each holds an answer or two. */
  openIdAtOnce: 64,
  openIdPerOwner: 4,
  /** Sign-ins that wait for their turn: each is a request that is open. */
  openIdWaiting: 1_000,
  openIdWaitingPerOwner: 60,
  /** Milliseconds after which the session or token of a request that goes on is looked up again. */
  credentialMs: 1_000,
  /** Milliseconds for which it is remembered who came with a credential, to be looked up along with their next call. */
  credentialRecalledMs: 60_000,
  /** Days that a session lives. */
  sessionDays: 7,
  /** Minutes by which the clocks of servers may differ: what was made later than that from now was made by a wrong one. */
  clocksApartMinutes: 5,
  /**
   * Sign-ups, and sign-ins, from one address in a minute, where not configured: as many as an office behind
   * one address has on its first day.
   */
  signUpsPerMinute: 60,
  signInsPerMinute: 60,
  /**
   * Calls about shares from one address in a minute, where not configured: many times what people of one office look
   * at, and little for a program that takes all it can.
   */
  shareCallsPerMinute: 1_200,
  /** Forms that visitors send from one address in a minute, where not configured: as a class does that fills one in. */
  sharedFormsPerMinute: 60,
  /**
   * Calls, of those that a second or a share allows, that a server lets through before it counts them for all servers: few
   * callers come that far, and what many servers let through together is bounded.
   */
  callsCountedTogetherPercent: 10,
  /** Callers that are counted each by themselves; those beyond are counted together. */
  callersCounted: 100_000,
  /** Passwords that are checked or hashed at the same time; each takes a thread and 19 MiB. */
  passwordsAtOnce: 2,
  /** Sign-ins that wait for that, some 50 ms each, before more are refused; sign-ups likewise, behind them. */
  signInsWaiting: 64,
  signUpsWaiting: 32,
  /** Failed sign-ins of one account, or from one address, before it is locked. */
  signInFailuresPerAccount: 5,
  signInFailuresPerAddress: 50,
  /** Characters of the password of a share at least, as the interface has it. */
  sharePasswordLengthMin: 3,
  /** Wrong passwords of a share, from whomever, before it takes none for a while: a short one is soon guessed. */
  shareFailuresPerShare: 30,
  /** Wrong passwords of shares from one address, before it may try no more for a while. */
  shareFailuresPerAddress: 10,
  /** Records of a share that are answered with its view, and their bytes: what the first sight of a page shows. */
  recordsOfSharedView: 50,
  sharedViewBytes: 1024 * 1024,
  /** Hours for which who gave the password of a share isn't asked again. */
  shareTokenHours: 24,
  /** Minutes for which failures count, and for which a lock holds. */
  signInLockMinutes: 15,
  /** Seconds that pass before the use of an access token is noted again. */
  tokenUseNotedSeconds: 60,
  /** Minutes that a mail for a new password is good for: mail may take a while. */
  passwordResetMinutes: 60,
  /** Seconds that handing one mail to the mail server may take, which a caller often waits for. */
  mailSeconds: 30,
  /** Minutes that a code is good for that was mailed to prove an address, and wrong tries it takes. */
  mailedCodeMinutes: 15,
  mailedCodeTries: 5,
  /** Digits of such a code: a million codes, of which a mail box gets 25 guesses in 15 minutes. */
  mailedCodeDigits: 6,
  /** Codes and passwords mailed to one address, or asked for from one, in the minutes that a code is good for. */
  mailsPerEmail: 5,
  mailsPerAddress: 20,
  /** Characters of an Idempotency-Key. */
  idempotencyKeyLength: 255,
  /** Hours for which an Idempotency-Key answers with its first answer. */
  idempotencyHours: 24,
  /** Characters of an answer that is kept for the repetition of its call, as JSON: some 2,000 records. */
  keptAnswerLength: 1024 * 1024,
} as const
