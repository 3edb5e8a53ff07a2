import type { Actor } from '../../access/actor.ts'
import { findAllowed, type Guard, type Requirement, type RoleScope } from '../../access/guard.ts'
import type { Lock } from '../../access/lock.ts'
import type { Action } from '../../access/roles.ts'
import type { Base } from '../../bases/base.ts'
import { onBase } from '../../bases/base-guard.ts'
import { notFound } from '../../errors.ts'
import type { Space } from '../../spaces/space.ts'
import type { ReadTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import { onTable } from '../../tables/table-guard.ts'
import type { TrashEntry, TrashedType } from '../trash-entry.ts'

/** What has a trash whose entries are listed one by one. */
export const trashPlaces = ['base', 'table'] as const

/** Which trash a call names. */
interface TrashInput {
  readonly resourceId: string
  readonly resourceType: (typeof trashPlaces)[number]
}

/** What a guard has found of the base or table whose trash a call names. */
type TrashScope = RoleScope & { readonly base: Base; readonly table?: Table }

/** Lets those pass who may take the actions in the base or table whose trash the input names. */
export function onTrashOf(
  actionsByType: Readonly<Record<TrashInput['resourceType'], readonly [Action, ...Action[]]>>,
  lock: Lock = 'none',
): Guard<TrashInput, TrashScope> {
  return {
    requirement: {
      on: 'table',
      actions: [...new Set(Object.values(actionsByType).flat())],
      actionsByResource: actionsByType,
      sessionOnly: false,
    },
    enter: async (tx, actor, { resourceId, resourceType }) => {
      const [first, ...rest] = actionsByType[resourceType]
      const enter = (action: Action, held: Lock) =>
        resourceType === 'base'
          ? onBase(action, held).enter(tx, actor, { baseId: resourceId })
          : onTable(action, held).enter(tx, actor, { tableId: resourceId })
      const passage = await enter(first, lock)
      for (const action of rest) await enter(action, 'none')
      return passage
    },
  }
}

/** What a guard has found of the entry that a call names. */
export interface TrashEntryScope extends RoleScope {
  readonly entry: TrashEntry
  /** Where it lies, or a base or a space itself. */
  readonly place: TrashedPlace
}

/** The table, the base or the space that an entry is about, and whether that lies in the trash. */
type TrashedPlace = { readonly isDeleted: boolean } & (
  | { readonly kind: 'table'; readonly base: Base; readonly table: Table }
  | { readonly kind: 'base'; readonly base: Base }
  | { readonly kind: 'space'; readonly space: Space }
)

/** The actions that an entry asks for, by what was deleted. */
type ActionsByType = Readonly<Record<TrashedType, readonly [Action, ...Action[]]>>

/**
 * Lets those pass who may take the actions on what the entry names, which is held from here on: the entry, and the base or
 * the table that it lies in, or is.
 */
export function onTrashEntry(
  actionsByType: ActionsByType,
): Guard<{ trashId: string }, TrashEntryScope> {
  const requirement: Requirement = {
    on: 'table',
    actions: [...new Set(Object.values(actionsByType).flat())],
    actionsByResource: actionsByType,
    sessionOnly: false,
  }
  return {
    requirement,
    enter: async (tx, actor, { trashId }) => {
      const named = { what: 'trash entry', id: trashId }
      const found = await tx.trash.find(trashId, 'none')
      const actions: readonly Action[] = found ? actionsByType[found.resourceType] : ['table|read']
      let passed: { place: TrashedPlace; scope: RoleScope } | undefined
      for (const action of actions) passed = await pass(tx, actor, action, named, found)
      // Whoever held the place until now may have taken the entry away.
      const entry = await tx.trash.find(trashId, 'update')
      if (!entry || !passed) throw notFound(named.what, named.id)
      return { scope: { ...passed.scope, entry, place: passed.place } }
    },
  }
}

async function pass(
  tx: ReadTx,
  actor: Actor,
  action: Action,
  named: { readonly what: string; readonly id: string },
  entry: TrashEntry | undefined,
): Promise<{ readonly place: TrashedPlace; readonly scope: RoleScope }> {
  const find = async (userId: string) => entry && findPlace(tx, entry, userId)
  const { access, scope } = await findAllowed(actor, action, named, find, ({ place }) =>
    place.kind === 'space'
      ? { spaceId: place.space.id }
      : { spaceId: place.base.spaceId, baseId: place.base.id },
  )
  return { place: access.place, scope }
}

async function findPlace(tx: ReadTx, entry: TrashEntry, userId: string) {
  const { resourceType, placeId } = entry
  if (resourceType === 'space') {
    const found = await tx.access.findSpaceOrTrash(placeId, userId, 'update')
    if (!found) return undefined
    const { space, role, isDeleted } = found
    return { role, isDeleted, place: { kind: 'space', space, isDeleted } as const }
  }
  if (isInTable(resourceType)) {
    // Records are written by many at a time, who share the table.
    const lock = resourceType === 'record' ? 'share' : 'update'
    const found = await tx.access.findTableOrTrash(placeId, userId, lock)
    if (!found) return undefined
    const { base, table, role, isDeleted } = found
    return { role, isDeleted, place: { kind: 'table', base, table, isDeleted } as const }
  }
  const baseId = resourceType === 'base' ? entry.resourceIds[0] : placeId
  const found = await tx.access.findBaseOrTrash(baseId ?? '', userId, 'update')
  if (!found) return undefined
  const { base, role, isDeleted } = found
  return { role, isDeleted, place: { kind: 'base', base, isDeleted } as const }
}

/** Whether what was deleted belongs to a table. */
export function isInTable(type: TrashedType): type is 'view' | 'field' | 'record' {
  return type === 'view' || type === 'field' || type === 'record'
}
