import type { Lock } from '../access/lock.ts'
import type { Plugin } from './plugin.ts'

/** Reads the plugins that people registered; those that ship with the product are not among them. */
export interface PluginReader {
  /** The plugin of the id; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<Plugin | undefined>
  /** Those of the ids that there are, in no order. */
  findAll(ids: readonly string[]): Promise<readonly Plugin[]>
  /** Those that the user made, oldest first, ties by id. */
  listOf(userId: string): Promise<readonly Plugin[]>
  /** How many of those there are. */
  countOf(userId: string): Promise<number>
  /** The published ones, oldest first, ties by id. */
  listPublished(): Promise<readonly Plugin[]>
}

/** Keeps them. */
export interface PluginRepository extends PluginReader {
  insert(plugin: Plugin): Promise<void>
  /** How many are published. Who asks next waits until the end of the transaction, so that the number holds until then. */
  countPublishedHeld(): Promise<number>
  /** Replaces all but the id, its maker and when it was made. */
  update(plugin: Plugin): Promise<void>
  delete(id: string): Promise<void>
  /** Removes those of the user that aren't published. */
  deleteUnpublishedOf(userId: string): Promise<void>
}
