import type { FlowNode } from './flow-node.ts'

/** Which node comes right after which, in the order of the nodes. */
export interface Edge {
  readonly source: string
  readonly target: string
}

/** The edges of a flow: every node but the trigger comes right after the one that it stands behind. */
export function edgesOf(nodes: readonly FlowNode[]): readonly Edge[] {
  return nodes.flatMap(({ id, parentNodeId }) =>
    parentNodeId === null ? [] : { source: parentNodeId, target: id },
  )
}
