import type { BoardReader, BoardRepository } from '../boards/board-repository.ts'
import type { PluginPanel } from './plugin-panel.ts'

/** Reads the panels of tables, whether or not these lie in the trash. */
export interface PluginPanelReader extends BoardReader<PluginPanel> {
  /** All panels of the table, in the order in which they were made, ties by id. */
  listOf(tableId: string): Promise<readonly PluginPanel[]>
}

/** Keeps them. With a table that is removed for good go its panels. */
export interface PluginPanelRepository extends PluginPanelReader, BoardRepository<PluginPanel> {}
