/** From the most to the least powerful. */
export const roles = ['owner', 'creator', 'editor', 'commenter', 'viewer'] as const

/** What somebody may do in a space or a base: an owner most, a viewer least. */
export type Role = (typeof roles)[number]

/** Every action, with the least powerful role that may take it; all stronger roles may too. */
export const lowestRoleByAction = {
  'space|read': 'viewer',
  'space|invite_email': 'viewer',
  'space|invite_link': 'creator',
  'space|create': 'owner',
  'space|delete': 'owner',
  'space|update': 'owner',
  'space|grant_role': 'creator',
  'base|read': 'viewer',
  'base|read_all': 'viewer',
  'base|invite_email': 'viewer',
  'base|table_export': 'viewer',
  'base|table_import': 'editor',
  'base|create': 'creator',
  'base|delete': 'creator',
  'base|update': 'creator',
  'base|invite_link': 'creator',
  'base|authority_matrix_config': 'creator',
  'base|query_data': 'creator',
  'base|db_connection': 'owner',
  'table|read': 'viewer',
  'table|export': 'viewer',
  'table|trash_read': 'editor',
  'table|trash_update': 'editor',
  'table_record_history|read': 'editor',
  'table|create': 'creator',
  'table|delete': 'creator',
  'table|update': 'creator',
  'table|import': 'creator',
  'table|trash_reset': 'creator',
  'view|read': 'viewer',
  'view|create': 'editor',
  'view|update': 'editor',
  'view|delete': 'editor',
  'view|share': 'editor',
  'field|read': 'viewer',
  'field|create': 'creator',
  'field|update': 'creator',
  'field|delete': 'creator',
  'record|read': 'viewer',
  'record|create': 'editor',
  'record|update': 'editor',
  'record|delete': 'editor',
  'record|comment': 'commenter',
  'automation|read': 'viewer',
  'automation|create': 'creator',
  'automation|update': 'creator',
  'automation|delete': 'creator',
  'user|email_read': 'viewer',
  'user|integrations': 'viewer',
} as const satisfies Record<string, Role>

/** What a role may do in a space or base. Instance actions are not here: only the administrator has them. */
export type Action = keyof typeof lowestRoleByAction

/** All actions, as `what|how`: what roles allow and tokens have as scopes. */
export const actions = Object.keys(lowestRoleByAction) as readonly Action[]

const rank: Readonly<Record<Role, number>> = {
  owner: 4,
  creator: 3,
  editor: 2,
  commenter: 1,
  viewer: 0,
}

/** Whether the role may take the action. */
export function canTake(role: Role, action: Action): boolean {
  return rank[role] >= rank[lowestRoleByAction[action]]
}

/** Whether one role is at least as powerful as another. */
export function isAtLeast(role: Role, other: Role): boolean {
  return rank[role] >= rank[other]
}

/** The more powerful of two roles; either may be missing. */
export function strongerRole(a: Role | undefined, b: Role | undefined): Role | undefined {
  if (a === undefined) return b
  if (b === undefined) return a
  return isAtLeast(a, b) ? a : b
}
