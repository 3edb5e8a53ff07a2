import type { Plugin } from '@gateleg/domain/plugins/plugin'
import { json, optional, optionalJson } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `plugins`. */
export const pluginColumns = columnsFor<Plugin>()({
  id: 'id',
  name: 'name',
  description: optional('description'),
  detailDesc: optional('details'),
  logo: 'logo',
  url: optional('url'),
  helpUrl: optional('help_url'),
  config: optionalJson('config'),
  positions: json('positions'),
  i18n: optionalJson('words'),
  status: 'status',
  withdrawnVersion: optional('withdrawn_version'),
  secretHash: 'secret_hash',
  createdBy: 'created_by',
  createdTime: 'created_time',
  lastModifiedTime: 'last_modified_time',
  version: 'version',
})

/** A row of `plugins`. */
export type PluginRow = RowOf<typeof pluginColumns>
