import { z } from 'zod'
import type { Timestamp } from '../../clock.ts'

/** What a node is for: it sets the flow off, does something, decides, or marks a part of what decides. */
export const nodeCategories = ['trigger', 'action', 'logic', 'control'] as const

/** A step of a workflow, or what sets it off. */
export interface FlowNode {
  readonly id: string
  readonly category: (typeof nodeCategories)[number]
  /** Its kind, within the category. */
  readonly type: string
  readonly name: string | null
  readonly description: string | null
  /** What its kind takes; members may be missing while the workflow is drafted. */
  readonly config: Readonly<Record<string, unknown>>
  /**
   * The node that it stands behind, null for the trigger. Of a control that is the logic that it belongs to, also where
   * other nodes lie between the two.
   */
  readonly parentNodeId: string | null
  readonly createdTime: Timestamp
  /** Null until the first change. */
  readonly lastModifiedTime: Timestamp | null
  /** Digests of what callers of a webhook prove themselves by, once they were made. */
  readonly webhook?: { readonly tokenHash: string; readonly secretHash: string }
}

/** The nodes of a workflow, in the order in which they run. */
export interface Flow {
  readonly nodes: readonly FlowNode[]
}

/** A node as callers see it. */
export const flowNodeOutput = z
  .object({
    id: z.string().describe('The id of the node'),
    name: z.string().optional().describe('What people call it'),
    description: z.string().optional().describe('What people say of it'),
    config: z.record(z.string(), z.unknown()).describe('What its type takes'),
    category: z.enum(nodeCategories).describe('What it is for'),
    type: z.string().describe('Which kind of its category it is'),
    createdTime: z.string().describe('When it was made'),
    lastModifiedTime: z.string().optional().describe('When it was last changed'),
    hasToken: z
      .boolean()
      .optional()
      .describe('Of a webhook: whether there is a token by which it is called'),
  })
  .meta({ id: 'WorkflowNode' })

/** A node as callers see it. */
export type FlowNodeOutput = z.output<typeof flowNodeOutput>

/** Shows the node to callers. The token of a webhook is left out; they learn whether there is one. */
export function toFlowNodeOutput(node: FlowNode): FlowNodeOutput {
  const { id, name, description, config, category, type, createdTime, lastModifiedTime } = node
  return {
    ...{ id, category, type, config, createdTime },
    ...(name !== null && { name }),
    ...(description !== null && { description }),
    ...(lastModifiedTime !== null && { lastModifiedTime }),
    ...(type === 'webhook' && { hasToken: node.webhook !== undefined }),
  }
}
