import type { BoardContext, BoardKind } from '../boards/board-kind.ts'
import type { PluginPanel } from './plugin-panel.ts'

/** Plugin panels, as boards. Plugins stand one below the other. */
export const panelKind: BoardKind<PluginPanel> = {
  position: 'panel',
  repositoryOf: (tx) => tx.pluginPanels,
  tableIdOf: ({ tableId }) => tableId,
  placeFor: () => ({ x: 0, y: Number.MAX_SAFE_INTEGER, w: 1, h: 3 }),
  emitUpdated: (context, panel) => emitPanel(context, 'plugin_panel.updated', panel),
}

/** Tells what became of a panel. */
export function emitPanel(
  { tx, now, userId }: BoardContext,
  name: 'plugin_panel.created' | 'plugin_panel.updated' | 'plugin_panel.deleted',
  { tableId, id: pluginPanelId }: PluginPanel,
): void {
  tx.emit({ name, time: now, userId, payload: { tableId, pluginPanelId } })
}
