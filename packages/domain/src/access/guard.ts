import { DomainError, notFound } from '../errors.ts'
import type { ReadTx } from '../store.ts'
import { type Actor, hasScope, isWithinReach, type KnownActor } from './actor.ts'
import { type Action, canTake, isAtLeast, type Role, roles } from './roles.ts'

/** Who may call a use case, as data for the documentation and the permission tests. */
export interface Requirement {
  /** The resource that the decision is about; `nothing` and `share` for use cases that need no account. */
  readonly on: 'nothing' | 'share' | 'account' | 'instance' | 'space' | 'base' | 'table' | 'node'
  /** The actions that the caller must be allowed there: all of them, unless the next two members say otherwise. */
  readonly actions: readonly Action[]
  /** The actions by the node's resource type, where they depend on it; `actions` then has those of all types. */
  readonly actionsByResource?: Readonly<Record<string, readonly Action[]>>
  /** For what the caller made themself, a role that allows this action is enough; a token still needs all scopes. */
  readonly enoughForOwn?: Action
  /** The least powerful role that passes, where that is more than the actions require. */
  readonly lowestRole?: Role
  /** Of public operations: whether the answer may depend on who is signed in. */
  readonly asksWho?: true
  /** Whether access tokens are refused: the caller needs a session. */
  readonly sessionOnly: boolean
  /** Whether resources in the trash are found, too; otherwise they are answered as absent. */
  readonly reachesTrash?: true
}

/** The result of a guard that lets the caller pass. */
export interface Passage<Scope> {
  readonly scope: Scope
  /** The version of the resource that the use case addresses, compared with `If-Match`. */
  readonly version?: number
}

/**
 * Decides whether the caller may run the use case, before anything is answered or changed. Its scope has what the
 * decision had to load, such as the table. Refuses with `unauthorized`, `not_found` (the caller may not even read it)
 * or `restricted_resource` (the caller may read it, but not do this).
 */
export interface Guard<Input, Scope> {
  readonly requirement: Requirement
  enter(tx: ReadTx, actor: Actor, input: Input): Promise<Passage<Scope>>
  /** How scopes of recent calls are compared with the present one; absent for guards whose scopes are not kept. */
  readonly lately?: FoundLately<Input, Scope>
}

/**
 * How the scope that a guard found in a recent call of a user is used again: a read is sent with it before the guard has
 * answered, which saves a wait. Access is never decided by it.
 */
export interface FoundLately<Input, Scope> {
  /** A key of the place that the input names, such as its table: scopes are kept by user and place. */
  placeOf(input: Input): string
  /** Whether the guard would let the caller pass, if it found this scope again. */
  wouldPass(actor: KnownActor, scope: Scope): boolean
  isSame(one: Scope, other: Scope): boolean
  /** The approximate size of the scope in memory, in bytes. */
  bytesOf(scope: Scope): number
}

/** The scope of every guard that knows its caller. */
export interface CallerScope {
  readonly userId: string
}

/** The scope of a guard that decided by role. */
export interface RoleScope extends CallerScope {
  readonly role: Role
}

/** Lets everybody pass. */
export function anyone(): Guard<unknown, object> {
  return {
    requirement: { on: 'nothing', actions: [], sessionOnly: false },
    enter: async () => ({ scope: {} }),
  }
}

/**
 * Lets every known user pass. With `sessionOnly` access tokens are refused, with `everywhere` those that reach only some
 * spaces and bases.
 */
export function signedIn(options?: {
  readonly sessionOnly?: boolean
  readonly action?: Action
  readonly everywhere?: boolean
}): Guard<unknown, CallerScope> {
  const sessionOnly = options?.sessionOnly ?? false
  const action = options?.action
  return {
    requirement: { on: 'account', actions: action ? [action] : [], sessionOnly },
    enter: async (_tx, actor) => {
      const userId = requireUserId(actor, { sessionOnly })
      if (sessionOnly) refuseTokens(actor)
      if (action) requireScope(actor, action)
      if (options?.everywhere) refuseReach(actor)
      return { scope: { userId } }
    },
  }
}

/** Lets the administrator of the instance pass, by session only. */
export function instanceAdmin(): Guard<unknown, CallerScope> {
  return {
    requirement: { on: 'instance', actions: [], sessionOnly: true },
    enter: async (tx, actor) => {
      const userId = requireUserId(actor, { sessionOnly: true })
      refuseTokens(actor)
      await requireAdministrator(tx, userId)
      return { scope: { userId } }
    },
  }
}

/** Throws `restricted_resource` unless the user is the administrator of the instance. */
export async function requireAdministrator(
  tx: Pick<ReadTx, 'users'>,
  userId: string,
): Promise<void> {
  if ((await tx.users.find(userId))?.isAdmin) return
  throw new DomainError('restricted_resource', 'Only the administrator of the instance may do this')
}

/** The id of the actor's user. Throws `unauthorized` for anonymous callers and visitors of shares. */
export function requireUserId(actor: Actor, needs = { sessionOnly: false }): string {
  if (actor.kind === 'anonymous' || actor.kind === 'share') throw notSignedIn(needs)
  return actor.userId
}

/** The `unauthorized` error for a caller without credentials; it says which the operation takes. */
export function notSignedIn({ sessionOnly }: Pick<Requirement, 'sessionOnly'>): DomainError {
  const message = sessionOnly
    ? 'Sign in: this needs a session'
    : 'Sign in, or send an access token in the Authorization header'
  return new DomainError('unauthorized', message)
}

/**
 * The access decision that all guards use. Throws `not_found` when the caller has no role there or their token doesn't
 * reach it, and `restricted_resource` when the role or the token's scopes don't allow the action. Returns the role.
 */
export function decide(
  actor: Actor,
  role: Role | undefined,
  action: Action,
  place: {
    readonly spaceId: string
    readonly baseId?: string
    readonly what: string
    readonly id: string
  },
): Role {
  if (role === undefined || !isWithinReach(actor, place.spaceId, place.baseId)) {
    throw notFound(place.what, place.id)
  }
  requireScope(actor, action)
  if (!canTake(role, action)) {
    throw new DomainError(
      'restricted_resource',
      `The role "${role}" may not take the action "${action}" on ${place.what} "${place.id}"`,
    )
  }
  return role
}

/**
 * As `decide`, for a resource that may be in the trash. If it is, it is `not_found` for everybody who may not take the
 * action, as it is in other operations.
 */
function decideInTrash(
  actor: Actor,
  access: FoundAccess,
  action: Action,
  place: Parameters<typeof decide>[3],
): Role {
  const { role, isDeleted } = access
  if (isDeleted && (role === undefined || !mayTake(actor, role, action))) {
    throw notFound(place.what, place.id)
  }
  return decide(actor, role, action, place)
}

/** The resource that a call names: its kind, as in messages, and its id. */
type Named = Pick<Parameters<typeof decide>[3], 'what' | 'id'>

/** The role of a user in a resource that may be in the trash. */
interface FoundAccess {
  readonly role: Role | undefined
  readonly isDeleted?: boolean
}

/**
 * Finds what a call names and decides as `decideInTrash` does. `placeOf` says where it lies. Throws `unauthorized`
 * for who isn't signed in, `not_found` for what isn't there.
 */
export async function findAllowed<Access extends FoundAccess>(
  actor: Actor,
  action: Action,
  named: Named,
  find: (userId: string) => Promise<Access | undefined>,
  placeOf: (access: Access) => { readonly spaceId: string; readonly baseId?: string },
): Promise<{ readonly access: Access; readonly scope: RoleScope }> {
  const userId = requireUserId(actor)
  const access = await find(userId)
  if (!access) throw notFound(named.what, named.id)
  const role = decideInTrash(actor, access, action, { ...placeOf(access), ...named })
  return { access, scope: { userId, role } }
}

/** Whether somebody with the role may take the action; by a token, only with its scope too. */
export function mayTake(actor: Actor, role: Role, action: Action): boolean {
  return canTake(role, action) && hasScope(actor, action)
}

/** `restricted_resource`, for a credential that allows less than its user may do. */
export class ScopeMissing extends DomainError {
  constructor(action: Action) {
    super('restricted_resource', `The access token lacks the scope "${action}"`)
  }
}

/** Refuses a token that was not given the scope. */
export function requireScope(actor: Actor, action: Action): void {
  if (!hasScope(actor, action)) throw new ScopeMissing(action)
}

/**
 * Requires the right to read as well, for a use case whose answer shows more than the caller sent. Every role may read;
 * only tokens can lack the scope.
 */
export function showing<Input, Scope>(
  guard: Guard<Input, Scope>,
  action: Action,
): Guard<Input, Scope> {
  const { requirement } = guard
  return {
    requirement: { ...requirement, actions: [...requirement.actions, action] },
    enter: async (tx, actor, input) => {
      const passage = await guard.enter(tx, actor, input)
      requireScope(actor, action)
      return passage
    },
  }
}

/** Requires a more powerful role than the action itself needs. */
export function requiringRole<Input, Scope extends RoleScope>(
  guard: Guard<Input, Scope>,
  lowestRole: Role,
): Guard<Input, Scope> {
  return {
    requirement: { ...guard.requirement, lowestRole },
    enter: async (tx, actor, input) => {
      const passage = await guard.enter(tx, actor, input)
      requireRole(passage.scope.role, lowestRole)
      return passage
    },
  }
}

/** Refuses weaker roles with `restricted_resource`. */
export function requireRole(role: Role, lowestRole: Role): void {
  if (isAtLeast(role, lowestRole)) return
  const orMore = lowestRole === roles[0] ? '' : ' or a more powerful one'
  throw new DomainError(
    'restricted_resource',
    `The role "${role}" may not do this: it takes "${lowestRole}"${orMore}`,
  )
}

function refuseTokens(actor: Actor): void {
  if (actor.kind === 'token') {
    throw new DomainError(
      'restricted_resource',
      'This needs a session: access tokens are not accepted',
    )
  }
}

function refuseReach(actor: Actor): void {
  if (actor.kind === 'token' && actor.reach !== undefined) {
    throw new DomainError(
      'restricted_resource',
      'The access token reaches some spaces and bases alone: this needs one with full access, or a session',
    )
  }
}
