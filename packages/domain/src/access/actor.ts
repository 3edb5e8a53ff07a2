import type { Action } from './roles.ts'

/** A caller without credentials. */
export interface AnonymousActor {
  readonly kind: 'anonymous'
}

/** A user who calls with a session, or on whose behalf the embedding program calls. */
export interface UserActor {
  readonly kind: 'user'
  readonly userId: string
  readonly sessionId?: string
}

/** A user who calls with an access token: both the role of the user and the token's scopes and reach apply. */
export interface TokenActor {
  readonly kind: 'token'
  readonly userId: string
  readonly tokenId: string
  readonly scopes: ReadonlySet<Action>
  /** Of the token of a plugin's page: the install that it is for, whose storage the page replaces without another scope. */
  readonly installId?: string
  /** The spaces and bases the token reaches; undefined for all that its user reaches. */
  readonly reach?: { readonly spaceIds: ReadonlySet<string>; readonly baseIds: ReadonlySet<string> }
}

/** A user, whichever credentials they come with. */
export type KnownActor = UserActor | TokenActor

/** A visitor with the link of a share: only the share decides what they see, whoever they are. */
export interface ShareActor {
  readonly kind: 'share'
  /** The share of which they gave the password, and which one that was. */
  readonly proven?: { readonly shareId: string; readonly passwordTag: string }
  /** Who has signed in, for a form that asks for it. */
  readonly user?: KnownActor
}

/** Who calls. */
export type Actor = AnonymousActor | KnownActor | ShareActor

/** Whether the actor is a user, with whichever credentials. */
export function isKnown(actor: Actor): actor is KnownActor {
  return actor.kind === 'user' || actor.kind === 'token'
}

/** What visitors of a share may do, as far as it shows it. */
const visitorActions: ReadonlySet<Action> = new Set([
  'view|read',
  'field|read',
  'record|read',
  'record|create',
])

/** Who made a record that was sent by a form without signing in: nobody of this id is ever known. */
export const unknownSenderId = '(form)'

/** A caller without credentials. */
export const anonymous: AnonymousActor = { kind: 'anonymous' }

/** Whether the actor reaches a space, or a base of it, at all. */
export function isWithinReach(actor: Actor, spaceId: string, baseId?: string): boolean {
  if (actor.kind !== 'token' || actor.reach === undefined) return true
  const { spaceIds, baseIds } = actor.reach
  return spaceIds.has(spaceId) || (baseId !== undefined && baseIds.has(baseId))
}

/**
 * Whether the credential of the actor allows the action, whatever the role: only a token, and a visitor of a share, can
 * lack it.
 */
export function hasScope(actor: Actor, action: Action): boolean {
  if (actor.kind === 'share') return visitorActions.has(action)
  return actor.kind !== 'token' || actor.scopes.has(action)
}
