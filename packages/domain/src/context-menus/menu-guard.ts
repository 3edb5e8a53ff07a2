import type { Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import { requireInstall } from '../boards/board-installs.ts'
import type { PluginInstall } from '../plugin-installs/plugin-install.ts'
import { onTable, type TableScope } from '../tables/table-guard.ts'

/** What a guard has found of the entry that a call names. */
export interface MenuScope extends TableScope {
  readonly install: PluginInstall
}

/**
 * Lets those pass who may take the action in the table, at an entry of its context menu. With the lock `update` the table is
 * held, so that the order of all entries stays as it was read; with `share` the entry alone, and the table against its deletion.
 */
export function onMenuEntry(
  action: Action,
  lock: Lock = 'none',
): Guard<{ tableId: string; pluginInstallId: string }, MenuScope> {
  const table = onTable(action, lock)
  const held = lock === 'none' ? 'none' : 'update'
  return {
    requirement: table.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await table.enter(tx, actor, input)
      const install = await requireInstall(tx, input.tableId, input.pluginInstallId, held)
      return { scope: { ...scope, install }, version: install.version }
    },
  }
}
