import type { CallContext } from '../use-case.ts'
import type { Flow, FlowNode } from './nodes/flow-node.ts'
import { toDraftConfig } from './nodes/node-types.ts'
import type { SentTrigger } from './workflow-input.ts'

/**
 * The flow with another trigger in front of it. One of the same type stays what it is, with what was sent in the place of
 * its configuration. Throws validation_error, with places that begin with the path.
 */
export function withTrigger(
  { ids, now }: Pick<CallContext, 'ids' | 'now'>,
  { nodes }: Flow,
  { type, name, description = null, config }: SentTrigger,
  path: readonly string[],
): { readonly flow: Flow; readonly trigger: FlowNode } {
  const before = nodes.find(({ category }) => category === 'trigger')
  const kept = before?.type === type ? before : undefined
  const trigger: FlowNode = {
    ...{ id: kept?.id ?? ids.next('trigger'), category: 'trigger', type },
    ...{ name: name ?? null, description },
    config: toDraftConfig({ category: 'trigger', type }, config, path),
    parentNodeId: null,
    createdTime: kept?.createdTime ?? now,
    lastModifiedTime: kept ? now : null,
    ...(kept?.webhook && { webhook: kept.webhook }),
  }
  const rest = nodes.filter((node) => node !== before)
  const followers = rest.map((node) =>
    node.parentNodeId === before?.id ? { ...node, parentNodeId: trigger.id } : node,
  )
  return { flow: { nodes: [trigger, ...followers] }, trigger }
}
