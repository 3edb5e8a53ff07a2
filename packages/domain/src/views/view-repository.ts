import type { Lock } from '../access/lock.ts'
import type { Deleted, DeletedPage, Deletion } from '../trash/deletion.ts'
import type { View } from './view.ts'

/** Reads views. */
export interface ViewReader {
  /** The living views of the table, in their order, ties by id. */
  listOf(tableId: string): Promise<readonly View[]>
  /** A living view of the table, held as the lock says: not at all when it is left out. */
  find(tableId: string, viewId: string, lock?: Lock): Promise<View | undefined>
  /** A view of the table that lies in its trash. */
  findDeleted(tableId: string, viewId: string): Promise<View | undefined>
  /** The views of the table that lie in its trash, by id: a page. */
  deletedIn(tableId: string, page: DeletedPage): Promise<readonly Deleted<View>[]>
  /** The ids of the row orders of all views of the table, deleted ones too. */
  rowOrderIdsOf(tableId: string): Promise<readonly string[]>
  /** Characters of all that the living views of the table keep as JSON: options, filters, sorts, groups, columns. */
  settingsLength(tableId: string): Promise<number>
}

/** Keeps views. */
export interface ViewRepository extends ViewReader {
  insert(views: readonly View[]): Promise<void>
  /** Replaces what can be changed of a view, and by whom and when it was; the version grows by one. */
  update(view: View): Promise<void>
  /** Moves the view to the trash of its table. */
  markDeleted(viewId: string, deletion: Deletion): Promise<void>
  /** Takes a view out of the trash, under a name. */
  restore(viewId: string, name: string): Promise<void>
  /** Removes a view for good, with how it is shared. */
  delete(viewId: string): Promise<void>
}
