import { assert, invalidAt, notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FlowNode } from '../nodes/flow-node.ts'

/** An edge of the graph: the target comes right after the source. */
interface Edge {
  readonly source: string
  readonly target: string
}

/** A node that is added, with the controls that it brings along; all stand behind it. */
export interface AddedNode {
  readonly node: FlowNode
  readonly controls: readonly FlowNode[]
}

/**
 * The nodes of a flow, which run one after another. A node has one follower at most; a condition has branches instead, a
 * repetition what it repeats, and what follows stands behind the end of it. So no node can come to follow itself.
 * Nothing is changed here: what changes is answered as the nodes of another flow, in the order in which they run.
 */
export class FlowGraph {
  readonly #nodes: readonly FlowNode[]
  readonly #byId: ReadonlyMap<string, FlowNode>
  readonly #behind: ReadonlyMap<string | null, readonly FlowNode[]>

  constructor(nodes: readonly FlowNode[]) {
    this.#nodes = nodes
    this.#byId = new Map(nodes.map((node) => [node.id, node]))
    this.#behind = Map.groupBy(nodes, ({ parentNodeId }) => parentNodeId)
  }

  /** The controls that belong to the node, in their order. */
  controlsOf(nodeId: string): readonly FlowNode[] {
    return this.#behindNode(nodeId).filter(({ category }) => category === 'control')
  }

  /** The action or logic right behind the node. */
  followerOf(nodeId: string): FlowNode | undefined {
    return this.#behindNode(nodeId).find(({ category }) => category !== 'control')
  }

  /** Which node comes right after which: what comes after a condition does so after the last node of each branch. */
  edges(): readonly Edge[] {
    return this.#nodes.flatMap(({ id, type, parentNodeId }): readonly Edge[] => {
      if (parentNodeId === null) return []
      if (type === 'repeatEnd') return [{ source: this.#tailOf(parentNodeId), target: id }]
      if (type !== 'conditionEnd') return [{ source: parentNodeId, target: id }]
      const branches = this.controlsOf(parentNodeId).filter((one) => one.id !== id)
      return branches.map((branch) => ({ source: this.#tailOf(branch.id), target: id }))
    })
  }

  /** Adds a node right behind another one; what followed that follows the new one. Throws where it has no place there. */
  insert({ node, controls }: AddedNode): readonly FlowNode[] {
    const parent = this.#byId.get(node.parentNodeId ?? '')
    if (!parent) throw notFound('node', node.parentNodeId ?? '', ['parentNodeId'])
    if (parent.type === 'condition') {
      throw invalidAt(['parentNodeId'], 'must be a branch of the condition, or its end')
    }
    if (node.category === 'logic' && this.#depthBehind(parent) >= limits.flowDepth) {
      const most = `conditions and repetitions lie at most ${limits.flowDepth} levels deep`
      throw invalidAt(['parentNodeId'], most)
    }
    const follower = this.followerOf(parent.id)
    const exitId = (controls.at(-1) ?? node).id
    const others = this.#nodes.map((one) =>
      one === follower ? { ...one, parentNodeId: exitId } : one,
    )
    return inOrder([...others, node, ...controls])
  }

  /** Takes a node away, logic with all that is in it; what follows takes its place. */
  without(node: FlowNode): readonly FlowNode[] {
    const follower = this.followerOf(this.#exitOf(node).id)
    const gone = new Set(this.#within(node))
    return this.#nodes
      .filter((one) => !gone.has(one.id))
      .map((one) => (one === follower ? { ...one, parentNodeId: node.parentNodeId } : one))
  }

  /** The nodes with one of them as it is now, and with other controls of it. */
  with({ node, controls }: AddedNode): readonly FlowNode[] {
    const before = new Set(this.controlsOf(node.id).map(({ id }) => id))
    const others = this.#nodes.filter(({ id }) => !before.has(id))
    return inOrder([...others.map((one) => (one.id === node.id ? node : one)), ...controls])
  }

  /** The node and what is in it, by their ids. */
  #within(node: FlowNode): readonly string[] {
    if (node.category !== 'logic') return [node.id]
    const ids: string[] = []
    const { id: endId } = this.#exitOf(node)
    const pending = [node.id]
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      ids.push(id)
      if (id !== endId) pending.push(...this.#behindNode(id).map((one) => one.id))
    }
    return ids
  }

  /** Behind which node stands what follows: the end of logic, else the node itself. */
  #exitOf(node: FlowNode): FlowNode {
    return node.category === 'logic' ? (this.controlsOf(node.id).at(-1) ?? node) : node
  }

  /** The last node of what follows the node. */
  #tailOf(nodeId: string): string {
    let id = nodeId
    for (let next = this.followerOf(id); next; next = this.followerOf(id)) {
      id = this.#exitOf(next).id
    }
    return id
  }

  /** How many conditions and repetitions a node is in that stands right behind this one. */
  #depthBehind(parent: FlowNode): number {
    let depth = 0
    for (let at: FlowNode | undefined = parent; at; at = this.#parentOf(at)) {
      if (at.type === 'Repeat' || at.type === 'conditionBranch') depth++
      // What stands behind the end of logic isn't in it.
      if (at.type === 'conditionBranch' || at.type.endsWith('End')) at = this.#logicOf(at)
    }
    return depth
  }

  #logicOf(control: FlowNode): FlowNode {
    const logic = this.#parentOf(control)
    assert(logic, `the control ${control.id} belongs to logic`)
    return logic
  }

  #parentOf({ parentNodeId }: FlowNode): FlowNode | undefined {
    return this.#byId.get(parentNodeId ?? '')
  }

  #behindNode(nodeId: string): readonly FlowNode[] {
    return this.#behind.get(nodeId) ?? []
  }
}

/** The nodes in the order in which they run: what is in logic before what follows it. */
function inOrder(nodes: readonly FlowNode[]): readonly FlowNode[] {
  const behind = Map.groupBy(nodes, ({ parentNodeId }) => parentNodeId)
  const ordered: FlowNode[] = []
  const pending = [...(behind.get(null) ?? [])]
  for (let node = pending.pop(); node; node = pending.pop()) {
    ordered.push(node)
    const next = behind.get(node.id) ?? []
    const body = next.filter(({ category }) => category !== 'control')
    const controls = next.filter(({ category }) => category === 'control')
    // What comes first is taken up first: it lies on top.
    pending.push(...controls.toReversed(), ...body)
  }
  return ordered
}
