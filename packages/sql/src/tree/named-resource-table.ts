import type { NamedResource } from '@gateleg/domain/tree/named-resource-repository'
import { columnsFor, type MarkedRowOf } from '../core/table-columns.ts'

/** The columns of `workflows`. */
export const namedResourceColumns = columnsFor<NamedResource>()({
  id: 'id',
  baseId: 'base_id',
  name: 'name',
  createdBy: 'created_by',
  createdTime: 'created_time',
  version: 'version',
})

/** A row of `workflows`. */
export type NamedResourceRow = MarkedRowOf<typeof namedResourceColumns>
