import { DomainError, notFound } from '../errors.ts'
import type { ReadTx } from '../store.ts'
import { type Actor, hasScope, isWithinReach, type KnownActor } from './actor.ts'
import { type Action, canTake, isAtLeast, type Role, roles } from './roles.ts'

/** What a use case asks of its caller, as data: for the documentation and the permission tests. */
export interface Requirement {
  /** The resource that the decision is about; `nothing` and `share` for use cases that need no account. */
  readonly on: 'nothing' | 'share' | 'account' | 'instance' | 'space' | 'base' | 'table' | 'node'
  /** The actions that the caller needs there: all of them, unless the next two say otherwise. */
  readonly actions: readonly Action[]
  /** The actions by what the node stands for, where that decides which; `actions` then has those of all. */
  readonly actionsByResource?: Readonly<Record<string, readonly Action[]>>
  /** A role with this one is enough for what is the caller's own; a token still needs all the scopes. */
  readonly enoughForOwn?: Action
  /** The least powerful role that passes, where the actions ask for less. */
  readonly lowestRole?: Role
  /** Of what is public: whether it may matter who has signed in. */
  readonly asksWho?: true
  /** Refused to access tokens: the caller needs a session. */
  readonly sessionOnly: boolean
  /** Whether what lies in the trash is found as well; else it is absent, as everywhere. */
  readonly reachesTrash?: true
}

/** What a guard found for a caller who may pass. */
export interface Passage<Scope> {
  readonly scope: Scope
  /** The version of the resource that the use case addresses, compared with `If-Match`. */
  readonly version?: number
}

/**
 * Decides whether a caller may go on, before anything is told them or changed, and loads what
 * the decision needed. Refuses with `unauthorized`, `not_found` (may not even read) or
 * `restricted_resource` (may read, not do).
 */
export interface Guard<Input, Scope> {
  readonly requirement: Requirement
  enter(tx: ReadTx, actor: Actor, input: Input): Promise<Passage<Scope>>
  /** How what it found lately is compared with what it finds now; absent where that is not used again. */
  readonly lately?: FoundLately<Input, Scope>
}

/**
 * What is asked of a scope that a guard found lately for a user: most likely it finds the same of them in the same place now,
 * and who expects that saves a wait. It is never decided by.
 */
export interface FoundLately<Input, Scope> {
  /** What tells, with the user, which scopes are of the same place. */
  placeOf(input: Input): string
  /** Whether the caller would pass by the scope. */
  wouldPass(actor: KnownActor, scope: Scope): boolean
  isSame(one: Scope, other: Scope): boolean
  /** Bytes that it takes, roughly. */
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
 * Lets every known user pass; with `sessionOnly`, not by way of an access token; with `everywhere`, not by one that reaches some
 * spaces and bases alone.
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

/** Refuses who is not the administrator of the instance: `restricted_resource`. */
export async function requireAdministrator(
  tx: Pick<ReadTx, 'users'>,
  userId: string,
): Promise<void> {
  if ((await tx.users.find(userId))?.isAdmin) return
  throw new DomainError('restricted_resource', 'Only the administrator of the instance may do this')
}

/** The user behind the actor; `unauthorized` when there is none. */
export function requireUserId(actor: Actor, needs = { sessionOnly: false }): string {
  if (actor.kind === 'anonymous' || actor.kind === 'share') throw notSignedIn(needs)
  return actor.userId
}

/** `unauthorized`, for who says nothing of who they are: what the operation takes. */
export function notSignedIn({ sessionOnly }: Pick<Requirement, 'sessionOnly'>): DomainError {
  const message = sessionOnly
    ? 'Sign in: this needs a session'
    : 'Sign in, or send an access token in the Authorization header'
  return new DomainError('unauthorized', message)
}

/**
 * The one access decision: the caller is in reach and has a role, else the resource is not there for
 * them; the role and the token's scopes allow the action, else it is restricted.
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
 * The same decision about what may lie in the trash, if it says that it does. There it is absent for everybody who may not take the
 * action, as it is for all other operations.
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

/** What a call names, as `decide` and its refusals speak of it. */
type Named = Pick<Parameters<typeof decide>[3], 'what' | 'id'>

/** Where a user stands to what may be deleted. */
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
