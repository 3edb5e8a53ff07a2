import type { CallContext } from '../../use-case.ts'
import { renameAll } from '../../values/rename-all.ts'
import type { Flow, FlowNode } from '../nodes/flow-node.ts'

/** What a copy of a flow is made with; the ids of its nodes are new ones where nothing else is said. */
interface CopyContext extends Pick<CallContext, 'ids' | 'now'> {
  readonly newId?: (node: FlowNode) => string
}

/**
 * A copy of the flow, made now: its nodes have ids of their own, and what was copied with it is named by the id of the
 * copy, in templates and scripts too. Tokens of webhooks stay with the original.
 */
export function copyFlow(
  { ids, now, newId = ({ category }) => ids.next(category) }: CopyContext,
  { nodes }: Flow,
  copied: Pick<ReadonlyMap<string, string>, 'get'> = new Map(),
): Flow {
  const own = new Map(nodes.map((node) => [node.id, newId(node)]))
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

/** The records that flows name anywhere, and what looks like such a name. */
export function recordsNamedIn(flows: readonly Flow[]): ReadonlySet<string> {
  const named = new Set<string>()
  const note = (id: string) => {
    if (id.startsWith('rec')) named.add(id)
    return undefined
  }
  for (const { nodes } of flows) {
    for (const { config } of nodes) renameAll(config, { get: note })
  }
  return named
}

/** The flow without the records that its nodes are to change, where these are records of tables of which no records are copied. */
export function withoutRecords(
  { nodes }: Flow,
  tableCopies: Pick<ReadonlyMap<string, string>, 'get'>,
): Flow {
  return {
    nodes: nodes.map((node) => {
      const { recordId, ...config } = node.config
      const isRecord = typeof recordId === 'string' && /^rec[0-9a-zA-Z]{16}$/.test(recordId)
      const isCopied = tableCopies.get(String(config.tableId)) !== undefined
      return isRecord && isCopied ? { ...node, config } : node
    }),
  }
}
