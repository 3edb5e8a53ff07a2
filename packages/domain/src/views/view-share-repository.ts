import type { ViewShare } from './view-share.ts'

/** Reads how views are shared. Those of deleted views are there as well: they come back with their views. */
export interface ViewShareReader {
  /** Undefined for a view that was never shared, nor prepared for it. */
  find(viewId: string): Promise<ViewShare | undefined>
  findByShareId(shareId: string): Promise<ViewShare | undefined>
  /** Those of all views of the table, in no order. */
  listOf(tableId: string): Promise<readonly ViewShare[]>
}

/** Keeps how views are shared. */
export interface ViewShareRepository extends ViewShareReader {
  /** Keeps it in the place of what was kept for the view. */
  save(share: ViewShare): Promise<void>
}
