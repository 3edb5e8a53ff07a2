import type { Lock } from '../access/lock.ts'
import type { ListedInstall, PluginInstall } from './plugin-install.ts'

/** Reads which plugins are installed where. */
export interface PluginInstallReader {
  /**
   * The install of the id, whether or not what is at its position lies in the trash; the lock is for transactions that
   * write.
   */
  find(id: string, lock?: Lock): Promise<PluginInstall | undefined>
  /** Those at the position, by their order, ties by id. */
  listAt(positionId: string): Promise<readonly ListedInstall[]>
  /** Those at the position, in their order, with what the plugins keep. */
  listWholeAt(positionId: string): Promise<readonly PluginInstall[]>
  /** All in the table, whatever they are on, with what the plugins keep; by id. */
  listWholeIn(tableId: string): Promise<readonly PluginInstall[]>
  /** Those of the base in which plugins keep something, by id: so many at most with a greater id than that of the last one. */
  keepingIn(
    baseId: string,
    page: { readonly after: string; readonly most: number },
  ): Promise<readonly PluginInstall[]>
}

/** Keeps them. With a table or a base that is removed for good go all that are in it. */
export interface PluginInstallRepository extends PluginInstallReader {
  /**
   * How many there are in the base, those on what lies in the trash counted. Until the transaction ends nobody else gets to
   * know: they wait for it.
   */
  countInHeld(baseId: string): Promise<number>
  /** As `listWholeAt`, for a copy of what is there: until the transaction ends they stay as they are. */
  heldAt(positionId: string): Promise<readonly PluginInstall[]>
  /** As `listWholeIn`, for a copy of what is there. */
  heldIn(tableId: string): Promise<readonly PluginInstall[]>
  insert(installs: readonly PluginInstall[]): Promise<void>
  /** Replaces name, order and storage, and the version. */
  update(install: PluginInstall): Promise<void>
  delete(id: string): Promise<void>
  /** Removes all at the position, for good. */
  deleteAt(positionId: string): Promise<void>
}
