import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

const ofBase = '/base/{baseId}/workflow'
const one = `${ofBase}/{workflowId}` as const
const example = { baseId: '{baseId}', workflowId: '{workflowId}' }

export const workflowRoutes: FeatureRoutes<'workflows'> = {
  createWorkflow: {
    ...post(ofBase),
    isVersioned: true,
    purpose:
      'Creates a workflow at the end of the tree. It has a draft alone until it is activated.',
    example: {
      baseId: '{baseId}',
      name: 'Welcome',
      trigger: { type: 'recordCreated', config: { tableId: '{tableId}' } },
    },
  },
  listWorkflows: {
    ...get(ofBase),
    purpose: 'Lists the workflows of a base in the order of their nodes.',
    example: { baseId: '{baseId}' },
  },
  getWorkflow: {
    ...get(one),
    isVersioned: true,
    purpose: 'Answers a workflow with its draft.',
    example,
  },
  getActiveSnapshot: {
    ...get(`${one}/active-snapshot`),
    isVersioned: true,
    purpose:
      'Answers what is in force of a workflow, as it was when it was activated, whatever has become of the draft since. Absent where the workflow is not active.',
    example,
  },
  updateWorkflow: {
    ...put(one),
    purpose:
      'Renames or describes a workflow, or gives its draft another trigger; what is left out stays.',
    example: { ...example, description: 'Greets everybody who borrows a book' },
  },
  setWorkflowActive: {
    ...put(`${one}/active`),
    purpose:
      'Puts the draft of a workflow in force, takes out of force what was activated, or goes back from the draft to that.',
    example: { ...example, method: 'activate' },
  },
  moveWorkflow: {
    ...put(`${one}/order`),
    purpose: 'Moves a workflow beside another one of its base, in the folder of that.',
    example: { ...example, anchorId: '{otherWorkflowId}', position: 'after' },
  },
  duplicateWorkflow: {
    ...post(`${one}/duplicate`),
    isVersioned: true,
    purpose: "Copies a workflow with its draft. The copy stands right after it and isn't active.",
    example,
  },
  deleteWorkflow: {
    ...del(one),
    purpose: 'Moves a workflow to the trash of its base.',
    example,
  },
  deleteWorkflowPermanently: {
    ...del(`${one}/permanent`),
    purpose: 'Deletes a workflow for good, also one that lies in the trash.',
    example: { baseId: '{baseId}', workflowId: '{otherWorkflowId}' },
  },
}
