import type { Action } from './roles.ts'

/** Somebody who has not said who they are. */
export interface AnonymousActor {
  readonly kind: 'anonymous'
}

/** A user, by a session or vouched for by the program that embeds the engine. */
export interface UserActor {
  readonly kind: 'user'
  readonly userId: string
  readonly sessionId?: string
}

/** A user by way of a personal access token: their role and the token's scopes and reach together. */
export interface TokenActor {
  readonly kind: 'token'
  readonly userId: string
  readonly tokenId: string
  readonly scopes: ReadonlySet<Action>
  /** The spaces and bases the token reaches; undefined for all that its user reaches. */
  readonly reach?: { readonly spaceIds: ReadonlySet<string>; readonly baseIds: ReadonlySet<string> }
}

/** A user, whichever credentials they come with. */
export type KnownActor = UserActor | TokenActor

/** Somebody who came by the link of a share: it alone decides what they see, whoever they are. */
export interface ShareActor {
  readonly kind: 'share'
  /** The share of which they gave the password, and which one that was. */
  readonly proven?: { readonly shareId: string; readonly passwordTag: string }
  /** Who has signed in, for a form that asks for it. */
  readonly user?: KnownActor
}

/** Who calls. */
export type Actor = AnonymousActor | KnownActor | ShareActor

/** What visitors of a share may do, as far as it shows it. */
const visitorActions: ReadonlySet<Action> = new Set([
  'view|read',
  'field|read',
  'record|read',
  'record|create',
])

/** Who made a record that was sent by a form without signing in: nobody of this id is ever known. */
export const unknownSenderId = '(form)'

/** Somebody who has not said who they are. */
export const anonymous: AnonymousActor = { kind: 'anonymous' }

/** Whether the actor reaches a space, or a base of it, at all. */
export function isWithinReach(actor: Actor, spaceId: string, baseId?: string): boolean {
  if (actor.kind !== 'token' || actor.reach === undefined) return true
  const { spaceIds, baseIds } = actor.reach
  return spaceIds.has(spaceId) || (baseId !== undefined && baseIds.has(baseId))
}

/** Whether the actor was given the action; roles apart, only a token and the visitor of a share can lack one. */
export function hasScope(actor: Actor, action: Action): boolean {
  if (actor.kind === 'share') return visitorActions.has(action)
  return actor.kind !== 'token' || actor.scopes.has(action)
}
