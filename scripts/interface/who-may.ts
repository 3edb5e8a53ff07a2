import type { Requirement } from '@gateleg/domain/access/guard'
import { type Action, canTake, isAtLeast, roles } from '@gateleg/domain/access/roles'

/** Who may call an operation, in a few words: `record|update` (editor). */
export function whoMay(requirement: Requirement): string {
  const { on, actions, actionsByResource, sessionOnly } = requirement
  if (on === 'nothing') return 'everybody'
  if (on === 'share') return 'whoever has the link'
  if (on === 'instance') return 'the administrator, by a session'
  if (actionsByResource && on === 'account') {
    const scopes = Object.entries(actionsByResource).map(
      ([type, needed]) => `of a ${type} ${allOf(needed)}`,
    )
    return `who is signed in; a token needs ${scopes.join(', ')}`
  }
  if (actionsByResource) return byResource(actionsByResource)
  const session = sessionOnly ? ', by a session' : ''
  if (actions.length === 0) return `who is signed in${session}`
  return `${needs(actions, requirement)}${session}`
}

/** The actions with the weakest role that may take all of them. */
function needs(actions: readonly Action[], requirement?: Requirement): string {
  const { on, lowestRole = 'viewer', enoughForOwn } = requirement ?? {}
  const all = allOf(actions)
  // What is about the account has no roles: a token needs the scope.
  if (on === 'account') return `who is signed in; a token needs ${all}`
  const role = roles.findLast(
    (role) => isAtLeast(role, lowestRole) && actions.every((action) => canTake(role, action)),
  )
  const own = enoughForOwn === undefined ? '' : `; their own: \`${enoughForOwn}\``
  return `${all} (${role})${own}`
}

function allOf(actions: readonly Action[]): string {
  return actions.map((action) => `\`${action}\``).join(' and ')
}

/** What a caller needs, for each kind of what the operation may be about, those together that need the same. */
function byResource(actionsByResource: Readonly<Record<string, readonly Action[]>>): string {
  const kindsByNeed = Map.groupBy(Object.keys(actionsByResource), (kind) =>
    needs(actionsByResource[kind] ?? []),
  )
  const [only, ...others] = kindsByNeed.keys()
  if (only !== undefined && others.length === 0) return only
  return [...kindsByNeed].map(([need, kinds]) => `${kinds.join(', ')}: ${need}`).join('; ')
}
