import { decide, type Guard, type RoleScope, requireUserId } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import type { Base } from '../bases/base.ts'
import { DomainError, notFound } from '../errors.ts'
import { findNode } from '../tree/find-node.ts'
import type { Table } from './table.ts'

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
    enter: async (tx, actor, { tableId }) => {
      const userId = requireUserId(actor)
      const access = await tx.access.findTable(tableId, userId, lock)
      if (!access) throw notFound('table', tableId)
      const { base, table } = access
      const place = { spaceId: base.spaceId, baseId: base.id, what: 'table', id: tableId }
      const role = decide(actor, access.role, action, place)
      return { scope: { userId, base, table, role }, version: table.version }
    },
  }
}

/** As `onTable`, for routes that name the base too: the table must lie in it. */
export function onTableOfBase(
  action: Action,
  lock: Lock = 'none',
): Guard<{ baseId: string; tableId: string }, TableScope> {
  const table = onTable(action, lock)
  return {
    requirement: table.requirement,
    enter: async (tx, actor, input) => {
      const passage = await table.enter(tx, actor, input)
      if (passage.scope.base.id !== input.baseId) throw notFound('table', input.tableId)
      return passage
    },
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
