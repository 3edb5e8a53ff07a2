import { invalidAt } from '../../errors.ts'
import type { CallContext } from '../../use-case.ts'
import type { FlowNode } from '../nodes/flow-node.ts'
import type { Branch, LogicType } from '../nodes/logic-types.ts'
import type { AddedNode, FlowGraph } from './flow-graph.ts'

type MakingContext = Pick<CallContext, 'ids' | 'now'>

/**
 * Logic with its controls: one for each branch of a condition, and one for the end. Branches that name a control keep it,
 * with what is in it. Throws validation_error for a branch that isn't one of this condition, and where one is left out
 * that has something in it.
 */
export function withControls(context: MakingContext, graph: FlowGraph, logic: FlowNode): AddedNode {
  const before = graph.controlsOf(logic.id)
  const end = before.at(-1)
  if ((logic.type as LogicType) === 'Repeat') {
    return { node: logic, controls: [end ?? control(context, logic, 'repeatEnd')] }
  }
  const known = new Map(before.slice(0, -1).map((node) => [node.id, node]))
  const kept = [...known.keys()].map((id) => ({ id }))
  const { branches = kept.length > 0 ? kept : [{}] } = logic.config as { branches?: Branch[] }
  const named = new Set<string>()
  const controls = branches.map((branch, index) => {
    if (branch.id === undefined) return control(context, logic, 'conditionBranch')
    const node = known.get(branch.id)
    if (!node || named.has(branch.id)) {
      const message = 'must be a branch of this condition, each of them once, or left out'
      throw invalidAt(['config', 'branches', index, 'id'], message)
    }
    named.add(branch.id)
    return node
  })
  for (const id of known.keys()) {
    if (named.has(id) || !graph.followerOf(id)) continue
    const message = `must have the branch "${id}", in which there are nodes: delete these first`
    throw invalidAt(['config', 'branches'], message)
  }
  const ids = controls.map(({ id }) => id)
  const config = { branches: branches.map((branch, index) => ({ ...branch, id: ids[index] })) }
  const last = end ?? control(context, logic, 'conditionEnd')
  return { node: { ...logic, config }, controls: [...controls, last] }
}

function control({ ids, now }: MakingContext, { id }: FlowNode, type: string): FlowNode {
  return {
    ...{ id: ids.next('control'), category: 'control', type, name: null, description: null },
    ...{ config: {}, parentNodeId: id, createdTime: now, lastModifiedTime: null },
  }
}
