import type { PluginPanel } from '@gateleg/domain/plugin-panels/plugin-panel'
import { nullableJson } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `plugin_panels`. */
export const pluginPanelColumns = columnsFor<PluginPanel>()({
  id: 'id',
  baseId: 'base_id',
  tableId: 'table_id',
  name: 'name',
  layout: nullableJson('layout'),
  createdBy: 'created_by',
  createdTime: 'created_time',
  version: 'version',
})

/** A row of `plugin_panels`. */
export type PluginPanelRow = RowOf<typeof pluginPanelColumns>
