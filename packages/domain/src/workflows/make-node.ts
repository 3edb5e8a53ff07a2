import type { CallContext } from '../use-case.ts'
import type { FlowNode } from './nodes/flow-node.ts'
import { toDraftConfig } from './nodes/node-types.ts'
import type { NodeChange } from './workflow-input.ts'

/** What is sent of a node that is added. */
interface SentNode extends NodeChange {
  readonly type: string
  readonly parentNodeId: string
}

/** A node as it is sent. Throws validation_error where its type doesn't take the configuration. */
export function makeNode(
  { ids, now }: Pick<CallContext, 'ids' | 'now'>,
  category: 'action' | 'logic',
  { type, name, description = null, config, parentNodeId }: SentNode,
): FlowNode {
  return {
    ...{ id: ids.next(category), category, type, name: name ?? null, description },
    config: toDraftConfig({ category, type }, config, []),
    ...{ parentNodeId, createdTime: now, lastModifiedTime: null },
  }
}

/** The node with what changes of it; a configuration takes the place of all of the one before. */
export function changedNode(
  { now }: Pick<CallContext, 'now'>,
  node: FlowNode,
  { name, description, config }: NodeChange,
): FlowNode {
  return {
    ...node,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(config && { config: toDraftConfig(node, config, []) }),
    lastModifiedTime: now,
  }
}
