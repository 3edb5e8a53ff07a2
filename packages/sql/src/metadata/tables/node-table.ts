import type { TreeNode } from '@gateleg/domain/tree/tree-node'
import { columnsFor, type MarkedRowOf } from '../table-columns.ts'

/** The columns of `nodes`. */
export const nodeColumns = columnsFor<TreeNode>()({
  id: 'id',
  baseId: 'base_id',
  parentId: 'parent_id',
  resourceType: 'resource_type',
  resourceId: 'resource_id',
  order: 'position',
  version: 'version',
})

/** A row of `nodes`. */
export type NodeRow = MarkedRowOf<typeof nodeColumns>
