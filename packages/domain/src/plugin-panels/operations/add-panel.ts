import type { BoardContext } from '../../boards/board-kind.ts'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { TableScope } from '../../tables/table-guard.ts'
import { emitPanel } from '../panel-kind.ts'
import type { PluginPanel } from '../plugin-panel.ts'

/** Makes a panel with nothing on it, of a table that is held for update. Throws validation_error where the table has no room. */
export async function addPanel(
  context: BoardContext & Pick<TableScope, 'table' | 'base'>,
  settings: Pick<PluginPanel, 'id' | 'name' | 'layout'>,
): Promise<PluginPanel> {
  const { tx, table, base, now, userId } = context
  if ((await tx.pluginPanels.listOf(table.id)).length >= limits.panelsPerTable) {
    throw invalidAt(
      [],
      `a table has ${limits.panelsPerTable} plugin panels at most: delete one first`,
    )
  }
  const panel: PluginPanel = {
    ...settings,
    tableId: table.id,
    baseId: base.id,
    ...{ createdBy: userId, createdTime: now, version: 1 },
  }
  await tx.pluginPanels.insert([panel])
  emitPanel(context, 'plugin_panel.created', panel)
  return panel
}
