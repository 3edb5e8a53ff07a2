import type { PluginInstall } from '../plugin-installs/plugin-install.ts'
import { renameAll } from '../values/rename-all.ts'
import type { Board } from './board.ts'
import type { BoardContext } from './board-kind.ts'

/** Gives the copies of installs their ids, before anything is copied that may name them. */
export function nameCopiesOf(
  { ids }: Pick<BoardContext, 'ids'>,
  installs: readonly PluginInstall[],
  idByOriginal: Map<string, string>,
): void {
  for (const { id } of installs) idByOriginal.set(id, ids.next('pluginInstall'))
}

/**
 * Installs as those of the copies of what they are on. `idByOriginal` has the ids of all that is copied together, theirs too;
 * what a plugin keeps names the copies wherever it named an original.
 */
export function copyInstalls(
  { userId, now }: Pick<BoardContext, 'userId' | 'now'>,
  installs: readonly PluginInstall[],
  baseId: string,
  idByOriginal: ReadonlyMap<string, string>,
): readonly PluginInstall[] {
  return installs.map((install) => ({
    ...install,
    id: idByOriginal.get(install.id) ?? '',
    baseId,
    tableId: install.tableId === undefined ? undefined : idByOriginal.get(install.tableId),
    positionId: idByOriginal.get(install.positionId) ?? '',
    storage: install.storage && renameAll(install.storage, idByOriginal),
    ...{ createdBy: userId, createdTime: now, version: 1 },
  }))
}

/** The layout of a board as that of a copy whose installs were copied. */
export function copyLayout(
  { layout }: Pick<Board, 'layout'>,
  idByOriginal: ReadonlyMap<string, string>,
): Board['layout'] {
  return layout && renameAll(layout, idByOriginal)
}
