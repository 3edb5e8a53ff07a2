import type { Dashboard } from '@gateleg/domain/dashboards/dashboard'
import { nullableJson } from '../column-codecs.ts'
import { columnsFor, type MarkedRowOf } from '../table-columns.ts'

/** The columns of `dashboards`. */
export const dashboardColumns = columnsFor<Dashboard>()({
  id: 'id',
  baseId: 'base_id',
  name: 'name',
  layout: nullableJson('layout'),
  createdBy: 'created_by',
  createdTime: 'created_time',
  version: 'version',
})

/** A row of `dashboards`. */
export type DashboardRow = MarkedRowOf<typeof dashboardColumns>
