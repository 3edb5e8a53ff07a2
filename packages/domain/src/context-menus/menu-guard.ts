import type { Guard } from '../access/guard.ts'
import type { Action } from '../access/roles.ts'
import { requireInstall } from '../boards/board-installs.ts'
import type { PluginInstall } from '../plugin-installs/plugin-install.ts'
import { onTable, type TableScope } from '../tables/table-guard.ts'

/** What a guard has found of the entry that a call names. */
export interface MenuScope extends TableScope {
  readonly install: PluginInstall
}

/** Lets those pass who may take the action in the table, at an entry of its context menu. */
export function onMenuEntry(
  action: Action,
  lock: 'none' | 'update' = 'none',
): Guard<{ tableId: string; pluginInstallId: string }, MenuScope> {
  // Who changes an entry holds the table: the order of all of them stays as it was read.
  const table = onTable(action, lock)
  return {
    requirement: table.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await table.enter(tx, actor, input)
      const install = await requireInstall(tx, input.tableId, input.pluginInstallId)
      return { scope: { ...scope, install }, version: install.version }
    },
  }
}
