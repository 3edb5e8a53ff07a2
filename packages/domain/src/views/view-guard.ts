import type { Actor } from '../access/actor.ts'
import { type Guard, type RoleScope, requireScope, requiringRole } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import { type Action, canTake } from '../access/roles.ts'
import { DomainError } from '../errors.ts'
import { onTable, type TableScope } from '../tables/table-guard.ts'
import { requireView } from './require-view.ts'
import type { View } from './view.ts'

/** What a guard has found of the view that a call names. */
export interface ViewScope extends TableScope {
  readonly view: View
}

type ViewGuard = Guard<{ tableId: string; viewId: string }, ViewScope>

/** Lets those pass who may take the action on views of the table; the view is one of it. */
export function onView(
  action: Action,
  locks: { readonly table: Lock; readonly view: Lock } = { table: 'none', view: 'none' },
): ViewGuard {
  const table = onTable(action, locks.table)
  return {
    requirement: table.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await table.enter(tx, actor, input)
      const view = await requireView(tx, input, locks.view)
      return { scope: { ...scope, view }, version: view.version }
    },
  }
}

/**
 * Lets those pass who may change the view, unless it is locked. The view is held with the fields that it may name;
 * changes that are about its place among the others hold the table for update.
 */
export function onChangedView(
  action: 'view|update' | 'view|delete' | 'view|share',
  table: Lock = 'share',
): ViewGuard {
  const guard = onView(action, { table, view: 'update' })
  return {
    requirement: guard.requirement,
    enter: async (tx, actor, input) => {
      const passage = await guard.enter(tx, actor, input)
      requireUnlocked(passage.scope.view)
      return passage
    },
  }
}

/** Lets those pass who may lock and unlock the view. */
export function onLockedView(): ViewGuard {
  return requiringRole(onView('view|update', { table: 'share', view: 'update' }), 'creator')
}

/** Refuses who may not change views, for a call that does so beside what its guard lets it do: `restricted_resource`. */
export function requireViewChanger({
  actor,
  role,
}: Pick<RoleScope, 'role'> & { readonly actor: Actor }): void {
  requireScope(actor, 'view|update')
  if (canTake(role, 'view|update')) return
  throw new DomainError('restricted_resource', `The role "${role}" may not change views`)
}

/** Refuses changes of a view that is locked: `restricted_resource`. */
export function requireUnlocked({ id, isLocked }: View): void {
  if (!isLocked) return
  throw new DomainError(
    'restricted_resource',
    `The view "${id}" is locked: an owner or creator can unlock it`,
  )
}
