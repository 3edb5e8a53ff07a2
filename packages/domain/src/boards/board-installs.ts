import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import { addInstalls } from '../plugin-installs/add-installs.ts'
import type { ListedInstall, PluginInstall } from '../plugin-installs/plugin-install.ts'
import { requireInstallable } from '../plugins/find-plugin.ts'
import { toFreeName } from '../values/names.ts'
import type { Board, LayoutItem } from './board.ts'
import { type BoardContext, type BoardKind, saveBoard } from './board-kind.ts'

/** Puts a plugin on a board that is held, behind all others. See `requireInstallable` for what is refused. */
export async function installOn<Kept extends Board>(
  context: BoardContext,
  kind: BoardKind<Kept>,
  board: Kept,
  { pluginId, name }: { readonly pluginId: string; readonly name?: string | undefined },
): Promise<PluginInstall> {
  const { tx, userId } = context
  const plugin = await requireInstallable(tx, { pluginId, userId, position: kind.position })
  const others = await tx.pluginInstalls.listAt(board.id)
  const what = { pluginId, name: name ?? plugin.name, storage: undefined }
  return addInstall(context, kind, board, { what, others })
}

/** Copies an install on a board that is held, with what its plugin keeps; the copy is as large, and stands behind all others. */
export async function duplicateInstall<Kept extends Board>(
  context: BoardContext,
  kind: BoardKind<Kept>,
  board: Kept,
  { install, name }: { readonly install: PluginInstall; readonly name?: string | undefined },
): Promise<PluginInstall> {
  const others = await context.tx.pluginInstalls.listAt(board.id)
  const names = new Set(others.map((one) => one.name))
  const free = () => toFreeName(install.name, (candidate) => names.has(candidate))
  const { pluginId, storage } = install
  const size = board.layout?.find(({ pluginInstallId }) => pluginInstallId === install.id)
  const what = { pluginId, storage, name: name ?? free() }
  return addInstall(context, kind, board, { what, others, size })
}

async function addInstall<Kept extends Board>(
  context: BoardContext,
  kind: BoardKind<Kept>,
  board: Kept,
  {
    what,
    others,
    size,
  }: {
    readonly what: Pick<PluginInstall, 'pluginId' | 'name' | 'storage'>
    /** All that is on the board, in order. */
    readonly others: readonly ListedInstall[]
    readonly size?: LayoutItem | undefined
  },
): Promise<PluginInstall> {
  const { tx, now, ids, userId } = context
  if (others.length >= limits.installsPerBoard) {
    throw invalidAt([], `there is room for ${limits.installsPerBoard} plugins: remove one first`)
  }
  const install: PluginInstall = {
    id: ids.next('pluginInstall'),
    ...what,
    baseId: board.baseId,
    tableId: kind.tableIdOf(board),
    position: kind.position,
    positionId: board.id,
    order: (others.at(-1)?.order ?? 0) + 1,
    ...{ createdBy: userId, createdTime: now, version: 1 },
  }
  await addInstalls(tx, [install])
  const before = board.layout ?? []
  const place = kind.placeFor(before.length)
  const { w, h } = size ?? place
  const layout = [...before, { pluginInstallId: install.id, ...place, w, h }]
  await saveBoard(context, kind, { ...board, layout })
  emitInstall(context, 'plugin_install.created', install)
  return install
}

/** Takes a plugin from a board that is held, for good, and from its layout. */
export async function uninstall<Kept extends Board>(
  context: BoardContext,
  kind: BoardKind<Kept>,
  board: Kept,
  install: PluginInstall,
): Promise<void> {
  await context.tx.pluginInstalls.delete(install.id)
  const layout = (board.layout ?? []).filter((item) => item.pluginInstallId !== install.id)
  await saveBoard(context, kind, { ...board, layout })
  emitInstall(context, 'plugin_install.deleted', install)
}

/** Renames an install on a board that is held. What is equal already is no change. */
export async function renameInstall<Kept extends Board>(
  context: BoardContext,
  kind: BoardKind<Kept>,
  board: Kept,
  { install, name }: { readonly install: PluginInstall; readonly name: string },
): Promise<PluginInstall> {
  if (name === install.name) return install
  // The board shows the name.
  await saveBoard(context, kind, board)
  return saveInstall(context, { ...install, name })
}

/** Replaces what a plugin keeps with an install that is held. */
export async function saveInstall(
  context: BoardContext,
  install: PluginInstall,
): Promise<PluginInstall> {
  const saved = { ...install, version: install.version + 1 }
  await context.tx.pluginInstalls.update(saved)
  emitInstall(context, 'plugin_install.updated', saved)
  return saved
}

/** Tells what became of an install. */
export function emitInstall(
  { tx, now, userId }: BoardContext,
  name: 'plugin_install.created' | 'plugin_install.updated' | 'plugin_install.deleted',
  { baseId, positionId, id: pluginInstallId }: PluginInstall,
): void {
  tx.emit({ name, time: now, userId, payload: { baseId, positionId, pluginInstallId } })
}
