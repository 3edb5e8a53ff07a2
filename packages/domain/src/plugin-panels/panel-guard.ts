import type { Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import { atInstall, type InstallScope } from '../boards/install-guard.ts'
import { notFound } from '../errors.ts'
import { onTable, type TableScope } from '../tables/table-guard.ts'
import type { PluginPanel } from './plugin-panel.ts'

/** What a guard has found of the panel that a call names. */
export interface PanelScope extends TableScope {
  readonly panel: PluginPanel
}

/** Lets those pass who may take the action in the table, for a panel of that table, which is held by changes. */
export function onPanel(
  action: 'table|read' | 'table|update',
  table: Lock = lockFor(action, 'share'),
): Guard<{ tableId: string; pluginPanelId: string }, PanelScope> {
  const guard = onTable(action, table)
  return {
    requirement: guard.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await guard.enter(tx, actor, input)
      const panel = await tx.pluginPanels.find(input.pluginPanelId, lockFor(action, 'update'))
      if (panel?.tableId !== input.tableId) throw notFound('plugin panel', input.pluginPanelId)
      return { scope: { ...scope, panel }, version: panel.version }
    },
  }
}

/** Lets those pass who may take the action in the table, for a plugin that is installed on one of its panels. */
export function onPanelInstall(
  action: 'table|read' | 'table|update',
): Guard<
  { tableId: string; pluginPanelId: string; pluginInstallId: string },
  PanelScope & InstallScope
> {
  const lock = lockFor(action, 'update')
  return atInstall(onPanel(action), ({ pluginPanelId }) => pluginPanelId, lock)
}

function lockFor(action: Action, lock: Lock): Lock {
  return action === 'table|read' ? 'none' : lock
}
