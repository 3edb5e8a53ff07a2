import type { Timestamp } from '../clock.ts'
import type { PluginPosition } from '../plugins/plugin.ts'

/**
 * A plugin that somebody has put into a base. It belongs to what is at its position (a dashboard, a panel, a view, a table)
 * and is looked up by that alone: so it lies in the trash with it and comes back with it, without a mark of its own, and an
 * install that is removed by itself is gone for good. It outlives its plugin.
 */
export interface PluginInstall {
  readonly id: string
  readonly pluginId: string
  readonly baseId: string
  /** The table that the position belongs to; undefined on a dashboard, which belongs to the base. */
  readonly tableId: string | undefined
  readonly position: PluginPosition
  /** The id of the dashboard, panel or view; for the menu of records, that of the table. */
  readonly positionId: string
  readonly name: string
  /** Where it stands among those of the position, if their order is told by that. */
  readonly order: number
  /** What the plugin keeps there, as it was sent. */
  readonly storage: Readonly<Record<string, unknown>> | undefined
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** Counts its changes. */
  readonly version: number
}

/** An install without what the plugin keeps there, which may be much. */
export type ListedInstall = Omit<PluginInstall, 'storage'>
