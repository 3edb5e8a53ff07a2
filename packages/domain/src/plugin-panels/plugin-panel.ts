import type { Board } from '../boards/board.ts'

/** A panel beside a table on which plugins are arranged. */
export interface PluginPanel extends Board {
  readonly tableId: string
}
