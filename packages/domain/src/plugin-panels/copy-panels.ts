import type { BoardContext } from '../boards/board-kind.ts'
import { copyLayout } from '../boards/copy-board.ts'
import type { PluginPanel } from './plugin-panel.ts'

/** Panels as those of the copies of their tables. `idByOriginal` has the ids of all that is copied along with them, theirs too. */
export function copyPanels(
  { userId, now }: Pick<BoardContext, 'userId' | 'now'>,
  panels: readonly PluginPanel[],
  place: Pick<PluginPanel, 'baseId' | 'tableId'>,
  idByOriginal: ReadonlyMap<string, string>,
): readonly PluginPanel[] {
  return panels.map((panel) => ({
    ...panel,
    ...place,
    id: idByOriginal.get(panel.id) ?? '',
    layout: copyLayout(panel, idByOriginal),
    ...{ createdBy: userId, createdTime: now, version: 1 },
  }))
}
