import type { Action } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'

/** How an app asked for its code: what it has to say again when it trades that. */
export interface CodeRequest {
  readonly redirectUri: string
  /** Whether the app named the place itself, rather than to rely on its only one. */
  readonly isPlaceNamed: boolean
  /** A digest of what the app says then (RFC 7636, S256); undefined where it has a secret and sent none. */
  readonly challenge?: string | undefined
}

/** What a user lets an app do in their name: a code at first, then tokens, each made of the one before. */
export interface OAuthGrant {
  readonly id: string
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly Action[]
  /** Whether the code waits to be traded, or was. */
  readonly stage: 'code' | 'tokens'
  readonly request: CodeRequest
  /** Whether its tokens were got with a secret: then nobody gets new ones without. */
  readonly isProven: boolean
  /** A digest of what the code and all refresh tokens have in common. */
  readonly familyHash: string
  /** A digest of what is traded next: the code at first, then the newest refresh token. */
  readonly tradeHash: string
  /** A digest of the access token; undefined until the code was traded. */
  readonly accessHash: string | undefined
  readonly accessExpiresTime: Timestamp | undefined
  readonly createdTime: Timestamp
  /** When its access token was last used, roughly. */
  readonly lastUsedTime: Timestamp | undefined
  /** When what is traded next is good for nothing any more, and the grant with it. */
  readonly expiresTime: Timestamp
}
