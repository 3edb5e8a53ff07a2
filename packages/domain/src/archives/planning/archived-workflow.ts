import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { newWorkflow } from '../../workflows/add-workflow.ts'
import { copyFlow } from '../../workflows/flow/copy-flow.ts'
import type { FlowNode } from '../../workflows/nodes/flow-node.ts'
import { isNodeType, toDraftConfig } from '../../workflows/nodes/node-types.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import type { Archived } from '../format/archive-line.ts'
import type { KnownPeople } from './known-people.ts'
import type { ReceivingContext } from './receiving-context.ts'
import { undraftedIn } from './undrafted.ts'

/** Where a workflow of an archive goes, and what is called what there. */
interface WorkflowPlace {
  readonly id: string
  readonly baseId: string
  readonly people: KnownPeople
  readonly idByOriginal: ReadonlyMap<string, string>
}

/**
 * A workflow of an archive, as a copy of it would be: what people edit of it, and not active. Throws validation_error for what
 * nobody could have drafted.
 */
export function toWorkflow(
  context: Pick<ReceivingContext, 'ids' | 'idHere' | 'now' | 'userId'>,
  said: Archived<'workflow'>,
  { id, baseId, people, idByOriginal }: WorkflowPlace,
): Workflow {
  const { name, description, createdBy, createdTime } = said
  const path = ['content', `the workflow "${name}"`]
  const before = new Set<string | null>([null])
  const nodes = said.nodes.map((node, index): FlowNode => {
    const isFirst = index === 0
    if ((node.category === 'trigger') !== isFirst || isFirst !== (node.parentNodeId === null)) {
      throw invalidAt(path, 'must begin with its trigger, and have one alone')
    }
    if (!before.has(node.parentNodeId) || before.has(node.id)) {
      throw invalidAt(path, 'must have each node once, behind the one that it follows')
    }
    before.add(node.id)
    if (!isNodeType(node)) throw invalidAt(path, `has a node of a type there is not: ${node.type}`)
    const config = toDraftConfig(node, node.config, path)
    return { ...node, config, createdTime: context.now, lastModifiedTime: null }
  })
  const undrafted = undraftedIn(nodes)
  if (undrafted !== undefined) throw invalidAt(path, undrafted)
  if (JSON.stringify(nodes).length > limits.flowLength) {
    throw invalidAt(path, `has nodes of more than ${limits.flowLength} characters`)
  }
  const newId = ({ category, id }: FlowNode) => context.idHere(category, id)
  const draft = copyFlow({ ...context, newId }, { nodes }, idByOriginal)
  const made = newWorkflow(context, { id, baseId, name, description, draft })
  return { ...made, createdBy: people.of(createdBy), createdTime }
}
