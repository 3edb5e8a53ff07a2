import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FlowNode } from '../nodes/flow-node.ts'
import { FlowGraph } from './flow-graph.ts'
import { withControls } from './logic-parts.ts'

const now = '2026-01-01T00:00:00.000Z'

const step = fc.record({
  kind: fc.constantFrom('action', 'action', 'condition', 'Repeat', 'delete', 'branches'),
  at: fc.nat(200),
  branches: fc.integer({ min: 1, max: 3 }),
})

function node(id: string, of: Pick<FlowNode, 'category' | 'type' | 'parentNodeId'>): FlowNode {
  const made = { createdTime: now, lastModifiedTime: null }
  return { id, ...of, name: null, description: null, config: {}, ...made }
}

/** The nodes after the steps, of which those that are refused change nothing. */
function nodesAfter(
  steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
) {
  let last = 0
  const ids = { next: () => `node${++last}` }
  const context = { ids, now } as unknown as Parameters<typeof withControls>[0]
  let nodes: readonly FlowNode[] = [
    node('trigger', { category: 'trigger', type: 'webhook', parentNodeId: null }),
  ]
  for (const { kind, at, branches } of steps) {
    const graph = new FlowGraph(nodes)
    const target = nodes[at % nodes.length] as FlowNode
    try {
      if (kind === 'delete') {
        if (target.category === 'action' || target.category === 'logic')
          nodes = graph.without(target)
      } else if (kind === 'branches') {
        const kept = graph.controlsOf(target.id).slice(0, branches)
        const config = { branches: [{}, ...kept.map(({ id }) => ({ id }))] }
        if (target.type !== 'condition') continue
        nodes = graph.with(withControls(context, graph, { ...target, config }))
      } else {
        const category = kind === 'action' ? 'action' : 'logic'
        const config = kind === 'condition' ? { branches: Array(branches).fill({}) } : {}
        const made = {
          ...node(ids.next(), { category, type: kind, parentNodeId: target.id }),
          config,
        }
        const added =
          category === 'logic' ? withControls(context, graph, made) : { node: made, controls: [] }
        nodes = graph.insert(added)
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
    }
  }
  return nodes
}

test('[FLOW-21] [FLOW-22] [FLOW-23] edges always lead on, from the trigger to each node and from each to the last', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const nodes = nodesAfter(steps)
      const edges = new FlowGraph(nodes).edges()
      const places = new Map(nodes.map(({ id }, place) => [id, place]))
      expect(places.size).toBe(nodes.length)
      const placeOf = (id: string) => places.get(id) ?? Number.NaN
      for (const { source, target } of edges) expect(placeOf(source)).toBeLessThan(placeOf(target))
      const ids = nodes.map(({ id }) => id)
      expect(new Set(['trigger', ...edges.map(({ target }) => target)])).toEqual(new Set(ids))
      const sources = new Set(edges.map(({ source }) => source))
      expect(ids.filter((id) => !sources.has(id))).toEqual(ids.slice(-1))
      const pairs = edges.map(({ source, target }) => `${source} ${target}`)
      expect(new Set(pairs).size).toBe(pairs.length)
      for (const one of nodes) {
        const types = new FlowGraph(nodes).controlsOf(one.id).map(({ type }) => type)
        if (one.type === 'Repeat') expect(types).toEqual(['repeatEnd'])
        if (one.type !== 'condition') continue
        expect(types.at(-1)).toBe('conditionEnd')
        const { branches = [] } = one.config as { branches?: { id: string }[] }
        expect(branches.map(({ id }) => id)).toEqual(
          new FlowGraph(nodes)
            .controlsOf(one.id)
            .slice(0, -1)
            .map(({ id }) => id),
        )
      }
    }),
  )
})

test('[FLOW-24] logic lies so many levels deep, and what follows it lies no deeper', () => {
  const deep = (type: 'Repeat' | 'condition', levels: number, behindEnd: boolean) =>
    nodesAfter(
      Array.from({ length: levels }, (_, level) => ({
        kind: type,
        // In each round the first control of the logic before, or the end of it, comes right after that.
        at: type === 'Repeat' ? (behindEnd ? 2 * level : level) : behindEnd ? 3 * level : 2 * level,
        branches: 1,
      })),
    ).filter(({ category }) => category === 'logic').length
  for (const type of ['Repeat', 'condition'] as const) {
    expect(deep(type, limits.flowDepth, false)).toBe(limits.flowDepth)
    expect(deep(type, limits.flowDepth + 1, false)).toBe(limits.flowDepth)
    expect(deep(type, limits.flowDepth + 1, true)).toBe(limits.flowDepth + 1)
  }
})
