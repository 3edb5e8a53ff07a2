import { type Actor, isWithinReach } from '../access/actor.ts'
import {
  type FoundLately,
  findAllowed,
  type Guard,
  mayTake,
  type Passage,
  type RoleScope,
} from '../access/guard.ts'
import type { Lock, MaybeDeleted } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import type { Base } from '../bases/base.ts'
import { DomainError, notFound } from '../errors.ts'
import { findNode } from '../tree/find-node.ts'
import type { Table } from './table.ts'
import type { TableAccess } from './table-access.ts'

/** What a guard has found of the table that a call names. */
export interface TableScope extends RoleScope {
  readonly base: Base
  readonly table: Table
}

/**
 * Lets those pass who may take the action in the table that the input names. Changes of records hold
 * the table in `share`, so that its fields stay as they are meanwhile; changes of its fields in `update`.
 */
export function onTable(
  action: Action,
  lock: Lock = 'none',
): Guard<{ tableId: string }, TableScope> {
  return {
    requirement: { on: 'table', actions: [action], sessionOnly: false },
    enter: (tx, actor, { tableId }) =>
      pass(actor, action, tableId, (userId) => tx.access.findTable(tableId, userId, lock)),
    ...(lock === 'none' && { lately: foundLately(action) }),
  }
}

/** Bytes that the scope of a table takes, roughly, beside the texts that people write. */
const bytesPerScope = 1_500

function foundLately(action: Action): FoundLately<{ tableId: string }, TableScope> {
  return {
    placeOf: ({ tableId }) => tableId,
    wouldPass: (actor, { role, base }) =>
      mayTake(actor, role, action) && isWithinReach(actor, base.spaceId, base.id),
    isSame: (one, other) =>
      one.userId === other.userId &&
      one.role === other.role &&
      isAlike(one.base, other.base) &&
      isAlike(one.table, other.table),
    bytesOf: ({ base, table }) => {
      const texts = [base.name, base.icon, table.name, table.description, table.icon]
      return bytesPerScope + 2 * texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    },
  }
}

/** Whether two entities of one type, whose members are no objects, have the same members. */
function isAlike<Entity extends object>(one: Entity, other: Entity): boolean {
  for (const member in one) if (one[member] !== other[member]) return false
  return true
}

/**
 * As `onTableOfBase`, but finds a table that lies in the trash of the base as well. The table is held for
 * update.
 */
export function onTableOrTrash(
  action: Action,
): Guard<{ baseId: string; tableId: string }, TableScope> {
  return {
    requirement: { on: 'table', actions: [action], sessionOnly: false, reachesTrash: true },
    enter: async (tx, actor, { baseId, tableId }) => {
      const find = (userId: string) => tx.access.findTableOrTrash(tableId, userId, 'update')
      return inBase(baseId, await pass(actor, action, tableId, find))
    },
  }
}

async function pass(
  actor: Actor,
  action: Action,
  tableId: string,
  find: (userId: string) => Promise<TableAccess | MaybeDeleted<TableAccess>>,
): Promise<Passage<TableScope>> {
  const named = { what: 'table', id: tableId }
  const { access, scope } = await findAllowed(actor, action, named, find, ({ base }) => ({
    spaceId: base.spaceId,
    baseId: base.id,
  }))
  const { base, table } = access
  return { scope: { ...scope, base, table }, version: table.version }
}

function inBase(baseId: string, passage: Passage<TableScope>): Passage<TableScope> {
  if (passage.scope.base.id !== baseId) throw notFound('table', passage.scope.table.id)
  return passage
}

/** As `onTable`, for routes that name the base too: the table must lie in it. */
export function onTableOfBase(
  action: Action,
  lock: Lock = 'none',
): Guard<{ baseId: string; tableId: string }, TableScope> {
  const table = onTable(action, lock)
  return {
    requirement: table.requirement,
    enter: async (tx, actor, input) => inBase(input.baseId, await table.enter(tx, actor, input)),
  }
}

/** As `onTableOfBase`, for routes that are about the node of the table: its id names the table as well. */
export function onTableOrNode(
  action: Action,
): Guard<{ baseId: string; tableId: string }, TableScope> {
  const table = onTableOfBase(action)
  return {
    requirement: table.requirement,
    enter: async (tx, actor, { baseId, tableId: named }) => {
      const node = await findNode(tx, baseId, named)
      const tableId = node?.resourceType === 'table' ? node.resourceId : named
      try {
        return await table.enter(tx, actor, { baseId, tableId })
      } catch (error) {
        // Who may not see the table learns no id of it.
        const isHidden = error instanceof DomainError && error.code === 'not_found'
        throw isHidden ? notFound('table', named) : error
      }
    },
  }
}
