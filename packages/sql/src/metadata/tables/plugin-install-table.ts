import type { ListedInstall, PluginInstall } from '@gateleg/domain/plugin-installs/plugin-install'
import { optional, optionalJson } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

const listed = {
  id: 'id',
  pluginId: 'plugin_id',
  baseId: 'base_id',
  tableId: optional('table_id'),
  position: 'kind',
  positionId: 'position_id',
  name: 'name',
  order: 'position',
  createdBy: 'created_by',
  createdTime: 'created_time',
  version: 'version',
} as const

/** The columns of `plugin_installs` that lists read. */
export const listedInstallColumns = columnsFor<ListedInstall>()(listed)

/** All columns of `plugin_installs`. */
export const pluginInstallColumns = columnsFor<PluginInstall>()({
  ...listed,
  storage: optionalJson('storage'),
})

/** A row of `plugin_installs`. */
export type PluginInstallRow = RowOf<typeof pluginInstallColumns>
