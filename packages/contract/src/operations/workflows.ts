import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

const ofBase = '/base/{baseId}/workflow'
const one = `${ofBase}/{workflowId}` as const
const example = { baseId: '{baseId}', workflowId: '{workflowId}' }

export const workflowRoutes: FeatureRoutes<'workflows'> = {
  createWorkflow: {
    ...post(ofBase),
    isVersioned: true,
    purpose:
      'Creates a workflow at the end of the tree. It has only a draft until it is activated.',
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
    purpose: 'Returns a workflow with its draft.',
    example,
  },
  getActiveSnapshot: {
    ...get(`${one}/active-snapshot`),
    isVersioned: true,
    purpose:
      'Returns the active version of a workflow: the draft as it was when the workflow was activated. Answered 404 where the workflow is not active.',
    example,
  },
  updateWorkflow: {
    ...put(one),
    purpose:
      'Changes the name or the description of a workflow, or the trigger of its draft; what is left out stays.',
    example: { ...example, description: 'Greets everybody who borrows a book' },
  },
  setWorkflowActive: {
    ...put(`${one}/active`),
    purpose:
      'Activates the draft of a workflow, deactivates the workflow, or discards the draft, so that the workflow is again what was activated last.',
    example: { ...example, method: 'activate' },
  },
  moveWorkflow: {
    ...put(`${one}/order`),
    purpose:
      'Moves a workflow before or after another one of its base, into the folder of that one.',
    example: { ...example, anchorId: '{otherWorkflowId}', position: 'after' },
  },
  duplicateWorkflow: {
    ...post(`${one}/duplicate`),
    isVersioned: true,
    purpose:
      "Copies a workflow with its draft. The copy comes right after the original, and isn't active.",
    example,
  },
  deleteWorkflow: {
    ...del(one),
    purpose: 'Moves a workflow to the trash of its base.',
    example,
  },
  deleteWorkflowPermanently: {
    ...del(`${one}/permanent`),
    purpose: 'Deletes a workflow for good, whether or not it is in the trash.',
    example: { baseId: '{baseId}', workflowId: '{otherWorkflowId}' },
  },
  setTrigger: {
    ...post(`${one}/trigger`),
    isVersioned: true,
    purpose: 'Sets the trigger of the draft of a workflow, in place of the one that it has.',
    example: {
      ...example,
      type: 'scheduledTime',
      config: { unit: 'weeks', interval: 1, timeZone: 'Europe/Berlin' },
    },
  },
  getTrigger: {
    ...get(`${one}/trigger/{triggerId}`),
    isVersioned: true,
    purpose: 'Returns the trigger of a draft.',
    example: { ...example, triggerId: '{triggerId}' },
  },
  updateTrigger: {
    ...put(`${one}/trigger/{triggerId}`),
    isVersioned: true,
    purpose: 'Changes the trigger of a draft; what is left out stays.',
    example: { ...example, triggerId: '{triggerId}', name: 'A new book' },
  },
  generateWebhookToken: {
    ...post(`${one}/trigger/{triggerId}/generate-webhook-token`, 200),
    purpose:
      'Makes a new token and a new secret with which the webhook of a workflow is called, in place of the old ones. Only this answer shows them.',
    example: {
      baseId: '{baseId}',
      workflowId: '{webhookWorkflowId}',
      triggerId: '{webhookTriggerId}',
    },
  },
  addAction: {
    ...post(`${one}/action`),
    isVersioned: true,
    purpose:
      'Adds an action to the draft of a workflow, right after another node; what came after that node then follows the action.',
    example: {
      ...example,
      type: 'sendEmail',
      config: { to: ['desk@example.com'], subject: 'A new book', body: 'Put it on the shelf' },
      parentNodeId: '{triggerId}',
    },
  },
  getAction: {
    ...get(`${one}/action/{actionId}`),
    isVersioned: true,
    purpose: 'Returns an action of a draft.',
    example: { ...example, actionId: '{actionId}' },
  },
  updateAction: {
    ...put(`${one}/action/{actionId}`),
    isVersioned: true,
    purpose: 'Changes an action of a draft; what is left out stays.',
    example: { ...example, actionId: '{actionId}', name: 'Tell the desk' },
  },
  deleteAction: {
    ...del(`${one}/action/{actionId}`),
    purpose: 'Removes an action from a draft; what comes after it takes its place.',
    example: { ...example, actionId: '{actionId}' },
  },
  duplicateAction: {
    ...post(`${one}/action/{actionId}/duplicate`, 200),
    isVersioned: true,
    purpose: 'Copies an action of a draft; the copy comes right after it.',
    example: { ...example, actionId: '{actionId}' },
  },
  addLogic: {
    ...post(`${one}/logic`),
    isVersioned: true,
    purpose:
      'Adds a condition or a loop to the draft of a workflow, right after another node, with the control nodes that mark its parts.',
    example: {
      ...example,
      type: 'condition',
      config: {
        branches: [
          {
            name: 'Long',
            conditions: [{ left: '{{{triggerId}.Pages}}', operator: 'isGreater', right: 400 }],
          },
          { name: 'Short' },
        ],
      },
      parentNodeId: '{triggerId}',
    },
  },
  getLogic: {
    ...get(`${one}/logic/{logicId}`),
    isVersioned: true,
    purpose: 'Returns a condition or a loop of a draft.',
    example: { ...example, logicId: '{logicId}' },
  },
  updateLogic: {
    ...put(`${one}/logic/{logicId}`),
    isVersioned: true,
    purpose:
      'Changes a condition or a loop of a draft; what is left out stays, and so do branches that have nodes in them.',
    example: { ...example, logicId: '{logicId}', name: 'For each reader' },
  },
  deleteLogic: {
    ...del(`${one}/logic/{logicId}`),
    purpose:
      'Removes a condition or a loop from a draft, with everything in it; what comes after it takes its place.',
    example: { ...example, logicId: '{logicId}' },
  },
}
