import type { CallContext } from '../use-case.ts'
import { renameAll } from '../values/rename-all.ts'
import type { Flow } from './flow-node.ts'

/** What a copy calls what its original names: nodes, tables, fields, views. */
export type IdsByOriginal = ReadonlyMap<string, string>

/**
 * A copy of the flow, made now: its nodes have ids of their own, and what was copied with it is named by the id of the
 * copy, in templates and scripts too. Tokens of webhooks stay with the original.
 */
export function copyFlow(
  { ids, now }: Pick<CallContext, 'ids' | 'now'>,
  { nodes }: Flow,
  copied: IdsByOriginal = new Map(),
): Flow {
  const own = nodes.map(({ id, category }) => [id, ids.next(category)] as const)
  const idsByOriginal = new Map([...copied, ...own])
  return {
    nodes: renameAll(nodes, idsByOriginal).map(({ webhook: _, ...node }) => ({
      ...node,
      createdTime: now,
      lastModifiedTime: null,
    })),
  }
}
