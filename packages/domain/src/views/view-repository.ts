import type { ColumnMeta, View } from './view.ts'

/** Reads views. */
export interface ViewReader {
  /** The living views of the table, in their order, ties by id. */
  listOf(tableId: string): Promise<readonly View[]>
  find(tableId: string, viewId: string): Promise<View | undefined>
}

/** Keeps views. */
export interface ViewRepository extends ViewReader {
  insert(views: readonly View[]): Promise<void>
  /** Replaces the places of fields; the version grows by one. */
  setColumnMeta(viewId: string, columnMeta: Readonly<Record<string, ColumnMeta>>): Promise<void>
}
