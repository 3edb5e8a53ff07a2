import { findAllowed, type Guard } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import { type BaseScope, onBase } from '../bases/base-guard.ts'
import { notFound } from '../errors.ts'
import type { FlowNode } from './nodes/flow-node.ts'
import { flowOf, type Workflow } from './workflow.ts'

/** What a guard has found of the workflow that a call names. */
export interface WorkflowScope extends BaseScope {
  readonly workflow: Workflow
}

/** How a call names a workflow. */
interface NamedWorkflow {
  readonly baseId: string
  readonly workflowId: string
}

/** Lets those pass who may take the action on workflows of the base; a change holds the base with all of them, and the workflow. */
export function onWorkflow(
  action: Action,
  lock: Lock = 'none',
): Guard<NamedWorkflow, WorkflowScope> {
  const base = onBase(action, lock)
  return {
    requirement: base.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await base.enter(tx, actor, input)
      // Who gives choices other names changes workflows without holding their base.
      const workflow = await tx.workflows.find(input.workflowId, lock)
      if (workflow?.baseId !== input.baseId) throw notFound('workflow', input.workflowId)
      return { scope: { ...scope, workflow }, version: workflow.version }
    },
  }
}

/** What a guard has found of the node that a call names. */
export interface FlowNodeScope extends WorkflowScope {
  readonly node: FlowNode
}

/** The members by which calls name nodes of the categories. */
const categories = { triggerId: 'trigger', actionId: 'action', logicId: 'logic' } as const

/** Lets those pass who may take the action on workflows of the base, for a node of the draft that the member names. */
export function onFlowNode<Member extends keyof typeof categories>(
  member: Member,
  action: 'automation|read' | 'automation|update',
): Guard<NamedWorkflow & Readonly<Record<Member, string>>, FlowNodeScope> {
  const workflow = onWorkflow(action, action === 'automation|read' ? 'none' : 'update')
  return {
    requirement: workflow.requirement,
    enter: async (tx, actor, input) => {
      const { scope, ...passage } = await workflow.enter(tx, actor, input)
      const node = flowOf(scope.workflow).nodes.find(({ id }) => id === input[member])
      const category = categories[member]
      if (node?.category !== category) throw notFound(category, input[member])
      return { ...passage, scope: { ...scope, node } }
    },
  }
}

/** As `onWorkflow` for a change, but finds a workflow that lies in the trash of the base as well. */
export function onWorkflowOrTrash(action: Action): Guard<NamedWorkflow, WorkflowScope> {
  const living = onWorkflow(action, 'update')
  return {
    requirement: { ...living.requirement, reachesTrash: true },
    enter: async (tx, actor, input) => {
      const workflow = await tx.workflows.findDeleted(input.workflowId)
      if (workflow?.baseId !== input.baseId) return living.enter(tx, actor, input)
      const named = { what: 'workflow', id: input.workflowId }
      const find = async (userId: string) => {
        const access = await tx.access.findBase(input.baseId, userId, 'update')
        return access && { ...access, isDeleted: true }
      }
      const { access, scope } = await findAllowed(actor, action, named, find, ({ base }) => ({
        spaceId: base.spaceId,
        baseId: base.id,
      }))
      return { scope: { ...scope, base: access.base, workflow }, version: workflow.version }
    },
  }
}
