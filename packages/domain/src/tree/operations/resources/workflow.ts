import { z } from 'zod'
import { assert } from '../../../errors.ts'
import { nameSchema } from '../../../values/names.ts'
import { addWorkflow, copyWorkflow, markWorkflowDeleted } from '../../../workflows/add-workflow.ts'
import { changeWorkflow } from '../../../workflows/change-workflow.ts'
import type { NodeResource } from '../node-resource.ts'

const input = z.object({ name: nameSchema })

/** Workflows, as the tree handles them. */
export const workflow: NodeResource<typeof input> = {
  actions: {
    read: 'automation|read',
    create: 'automation|create',
    update: 'automation|update',
    delete: 'automation|delete',
  },
  input,
  urlOf: ({ baseId, resourceId }) => `/base/${baseId}/automation/${resourceId}`,

  create: async (context, { name }) => {
    const draft = { nodes: [] }
    return (await addWorkflow(context, { baseId: context.base.id, name, draft })).id
  },

  change: async (context, node, { name = node.name }) => {
    if (name === node.name) return
    const workflow = await context.tx.workflows.find(node.resourceId)
    assert(workflow, `the workflow ${node.resourceId} of a living node is there`)
    await changeWorkflow(context, workflow, { name })
  },

  markDeleted: (context, id, deletion) =>
    markWorkflowDeleted(context, { id, baseId: context.base.id }, deletion),

  deletePermanently: ({ tx }, id) => tx.workflows.delete(id),

  duplicate: async (context, id, { name }) => (await copyWorkflow(context, id, name)).id,
}
