import type { CallContext } from '../use-case.ts'
import { renameAll } from '../values/rename-all.ts'
import type { Flow } from './flow-node.ts'

/**
 * A copy of the flow, made now: its nodes have ids of their own, and what was copied with it is named by the id of the
 * copy, in templates and scripts too. Tokens of webhooks stay with the original.
 */
export function copyFlow(
  { ids, now }: Pick<CallContext, 'ids' | 'now'>,
  { nodes }: Flow,
  copied: ReadonlyMap<string, string> = new Map(),
): Flow {
  const own = new Map(nodes.map(({ id, category }) => [id, ids.next(category)]))
  // What was copied may be very much, and each of many workflows has a flow.
  const idByOriginal = { get: (id: string) => own.get(id) ?? copied.get(id) }
  return {
    nodes: renameAll(nodes, idByOriginal).map(({ webhook: _, ...node }) => ({
      ...node,
      createdTime: now,
      lastModifiedTime: null,
    })),
  }
}
