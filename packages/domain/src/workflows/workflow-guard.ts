import { isWithinReach } from '../access/actor.ts'
import { type Guard, mayTake, requireUserId } from '../access/guard.ts'
import type { Lock } from '../access/lock.ts'
import type { Action } from '../access/roles.ts'
import { type BaseScope, onBase } from '../bases/base-guard.ts'
import { notFound } from '../errors.ts'
import type { Workflow } from './workflow.ts'

/** What a guard has found of the workflow that a call names. */
export interface WorkflowScope extends BaseScope {
  readonly workflow: Workflow
}

/** How a call names a workflow. */
export interface NamedWorkflow {
  readonly baseId: string
  readonly workflowId: string
}

/** Lets those pass who may take the action on workflows of the base; a change holds the base with all of them. */
export function onWorkflow(
  action: Action,
  lock: Lock = 'none',
): Guard<NamedWorkflow, WorkflowScope> {
  const base = onBase(action, lock)
  return {
    requirement: base.requirement,
    enter: async (tx, actor, input) => {
      const { scope } = await base.enter(tx, actor, input)
      const workflow = await tx.workflows.find(input.workflowId)
      if (workflow?.baseId !== input.baseId) throw notFound('workflow', input.workflowId)
      return { scope: { ...scope, workflow }, version: workflow.version }
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
      const userId = requireUserId(actor)
      const access = await tx.access.findBase(input.baseId, userId, 'update')
      // In the trash it is absent for everybody who may not take the action, as for all other operations.
      if (
        !access?.role ||
        !mayTake(actor, access.role, action) ||
        !isWithinReach(actor, access.base.spaceId, input.baseId)
      ) {
        throw notFound('workflow', input.workflowId)
      }
      const scope = { userId, role: access.role, base: access.base }
      return { scope: { ...scope, workflow }, version: workflow.version }
    },
  }
}
