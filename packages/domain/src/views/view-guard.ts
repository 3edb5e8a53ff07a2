import type { Guard } from '../access/guard.ts'
import type { Action } from '../access/roles.ts'
import { onTable, type TableScope } from '../tables/table-guard.ts'
import { requireView } from './require-view.ts'
import type { View } from './view.ts'

export interface ViewScope extends TableScope {
  readonly view: View
}

/** Lets those pass who may take the action on views of the table; the view is one of it. */
export function onView(action: Action): Guard<{ tableId: string; viewId: string }, ViewScope> {
  const table = onTable(action)
  return {
    requirement: table.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await table.enter(tx, actor, input)
      const view = await requireView(tx, input)
      return { scope: { ...scope, view }, version: view.version }
    },
  }
}
