import type { Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import { atInstall, type InstallScope } from '../boards/install-guard.ts'
import { onTable, type TableScope } from '../tables/table-guard.ts'

/**
 * Lets those pass who may take the action in the table, at an entry of its context menu. With the lock `update` the table is
 * held, so that the order of all entries stays as it was read; with `share` the entry alone, and the table against its deletion.
 */
export function onMenuEntry(
  action: Action,
  lock: Lock = 'none',
): Guard<{ tableId: string; pluginInstallId: string }, TableScope & InstallScope> {
  const held = lock === 'none' ? 'none' : 'update'
  return atInstall(onTable(action, lock), ({ tableId }) => tableId, held)
}
