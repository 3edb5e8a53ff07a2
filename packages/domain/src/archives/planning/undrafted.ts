import { limits } from '../../limits.ts'
import type { FlowNode } from '../../workflows/nodes/flow-node.ts'

type Node = Pick<FlowNode, 'id' | 'category' | 'type' | 'config' | 'parentNodeId'>

/**
 * What of the nodes nobody could have drafted, each of which stands behind the one that it follows; undefined where they are
 * right. A node has one follower at most, and logic the controls of its kind.
 */
export function undraftedIn(nodes: readonly Node[]): string | undefined {
  const behind = Map.groupBy(nodes, ({ parentNodeId }) => parentNodeId)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  /** In how many conditions and repetitions a node is that stands right behind one. */
  const depths = new Map<string, number>()
  for (const node of nodes) {
    const parent = byId.get(node.parentNodeId ?? '')
    if (node.category === 'control' && parent?.category !== 'logic') {
      return `must have controls behind logic alone: ${node.id}`
    }
    const next = behind.get(node.id) ?? []
    const controls = next.filter(({ category }) => category === 'control')
    const most = node.type === 'condition' && node.category === 'logic' ? 0 : 1
    if (next.length - controls.length > most) {
      return `must have at most ${most} nodes behind ${node.id}, its controls apart`
    }
    if (node.category === 'logic' && !hasItsControls(node, controls)) {
      return `must have a control for each branch of ${node.id}, and then its end`
    }
    const place = depths.get(node.parentNodeId ?? '') ?? 0
    if (node.category === 'logic' && place >= limits.flowDepth) {
      return `must have conditions and repetitions at most ${limits.flowDepth} levels deep`
    }
    const isWithin = node.type === 'Repeat' || node.type === 'conditionBranch'
    // Where a repetition ends, its own level does.
    const own = node.type === 'repeatEnd' ? place - 1 : place
    depths.set(node.id, isWithin ? own + 1 : own)
  }
  return undefined
}

function hasItsControls({ type, config }: Node, controls: readonly Node[]): boolean {
  const types = controls.map((control) => control.type)
  if (type === 'Repeat') return types.length === 1 && types[0] === 'repeatEnd'
  const { branches = [] } = config as { readonly branches?: readonly { readonly id?: string }[] }
  return (
    branches.length > 0 &&
    controls.length === branches.length + 1 &&
    types.at(-1) === 'conditionEnd' &&
    branches.every(({ id }, index) => {
      const control = controls[index]
      return control?.type === 'conditionBranch' && control.id === id
    })
  )
}
