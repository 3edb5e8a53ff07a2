import {
  type Action,
  isAtLeast,
  lowestRoleByAction,
  type Role,
  roles,
} from '@gateleg/domain/access/roles'
import type { ErrorCode } from '@gateleg/domain/errors'
import type { Scenario } from '../scenario.ts'

/** A request as scenarios send it, and what its answer must have in it. */
type Sent = Pick<Scenario, 'method' | 'path' | 'body' | 'headers'>

/** What an operation in a place is asked for, rightly and wrongly; `everyCaller` makes scenarios of it. */
export interface CalledOperation {
  /** Its name in the table of operations. */
  readonly operation: string
  /** What it is called for here, where it is for more than one thing. */
  readonly about?: string
  /** A call that succeeds for whoever may make it; ids are those of a place (see Place). */
  readonly call: Sent
  /** The actions that it takes, all of them. */
  readonly actions: readonly Action[]
  /** The least powerful role that may call it, where it asks for more than its actions do. */
  readonly lowestRole?: Role
  /** Ids that the call names, each of which it must miss where there is no such thing. */
  readonly ids: readonly string[]
  /** The code with which one of them is missed, where that is not `not_found`. */
  readonly codeOfMissed?: Readonly<Record<string, ErrorCode>>
  /** Calls that are refused for what they send, by what is wrong with them, and where that is said to be. */
  readonly wrong: Readonly<Record<string, Partial<Sent> & { readonly at: string }>>
  readonly success: Pick<Scenario, 'status' | 'contains' | 'lacks' | 'events'>
  /** What its owner sends first where it is to succeed. */
  readonly given?: NonNullable<Scenario['given']>
  /** What is seen of it after it succeeded. */
  readonly effect: NonNullable<Scenario['effect']>
}

/**
 * Scenarios of an operation: nobody, a token that is none, a token of its owner that reaches elsewhere or lacks the scope, a
 * stranger, every role, every id that is not there, wrong bodies and queries, and what comes of a call that succeeds.
 */
export function everyCaller(called: CalledOperation): readonly Scenario[] {
  const { call, ids, wrong, codeOfMissed = {} } = called
  const operation = titleOf(called)
  const as = 'owner'
  return [
    {
      title: `[HTTP-11] ${operation} refuses nobody`,
      ...{ ...call, status: 401, code: 'unauthorized' },
    },
    ...byTokens(called),
    {
      title: `[ACCESS-2] ${operation} tells a stranger that there is no such place`,
      ...{ as: 'stranger', ...call, status: 404, code: 'not_found' },
    },
    ...roles.map((role) => byRole(called, role)),
    ...ids.map(
      (id): Scenario => ({
        title: `[ACCESS-5] ${operation} misses ${id} where there is no such thing`,
        ...{ as, ...withoutThing(call, id), status: 404, code: codeOfMissed[id] ?? 'not_found' },
      }),
    ),
    ...Object.entries(wrong).map(
      ([what, { at, ...sent }]): Scenario => ({
        title: `[HTTP-20] ${operation} refuses ${what}, and says where`,
        ...{ as, ...call, ...sent, status: 400, code: 'validation_error', contains: [at] },
      }),
    ),
  ]
}

function titleOf({ operation, about }: CalledOperation): string {
  return about === undefined ? operation : `${operation} of a ${about}`
}

function byTokens(called: CalledOperation): readonly Scenario[] {
  const { call } = called
  const operation = titleOf(called)
  const withToken = (token: string) => ({
    ...call,
    headers: { ...call.headers, Authorization: `Bearer ${token}` },
  })
  return [
    {
      title: `[HTTP-10] ${operation} refuses a token that is none`,
      ...{ ...withToken('gateleg_accNone_none'), status: 401, code: 'unauthorized' },
    },
    {
      title: `[ACCESS-6] ${operation} is out of the reach of a token that is for another space`,
      ...{ ...withToken('{tokenElsewhere}'), status: 404, code: 'not_found' },
    },
    {
      title: `[ACCESS-6] ${operation} refuses a token without its scopes`,
      ...{ ...withToken('{tokenWithoutScopes}'), status: 403, code: 'restricted_resource' },
    },
  ]
}

function byRole(called: CalledOperation, role: Role): Scenario {
  const { call, actions, lowestRole = role, given, success, effect } = called
  const operation = titleOf(called)
  const needed = [lowestRole, ...actions.map((action) => lowestRoleByAction[action])]
  if (needed.every((lowest) => isAtLeast(role, lowest))) {
    return {
      title: `[HTTP-15] ${operation} does what it says for the ${role}`,
      ...{ as: role, ...call, ...success, ...(given && { given }), effect },
    }
  }
  return {
    title: `[ACCESS-1] ${operation} refuses the ${role}`,
    ...{ as: role, ...call, status: 403, code: 'restricted_resource' },
  }
}

/** The call, with an id of nothing in place of that one. */
function withoutThing(call: Sent, id: string): Sent {
  const text = JSON.stringify(call)
  if (!text.includes(`{${id}}`)) throw new Error(`The call names no ${id}`)
  return JSON.parse(text.replaceAll(`{${id}}`, idOfNothing(id)))
}

/** An id of the kind that names nothing. */
function idOfNothing(id: string): string {
  return id === 'filesFieldId' ? `fld${'0'.repeat(16)}` : 'none'
}
