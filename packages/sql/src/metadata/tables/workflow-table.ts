import type { Workflow } from '@gateleg/domain/workflows/workflow'
import { nullableJson } from '../column-codecs.ts'
import { columnsFor, type MarkedRowOf } from '../table-columns.ts'

/** The columns of `workflows`. */
export const workflowColumns = columnsFor<Workflow>()({
  id: 'id',
  baseId: 'base_id',
  name: 'name',
  description: 'about',
  draft: nullableJson('draft'),
  published: nullableJson('published'),
  activeBy: 'active_by',
  createdBy: 'created_by',
  createdTime: 'created_time',
  lastModifiedBy: 'changed_by',
  lastModifiedTime: 'changed_time',
  version: 'version',
})

/** A row of `workflows`. */
export type WorkflowRow = MarkedRowOf<typeof workflowColumns>
