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
  setTrigger: {
    ...post(`${one}/trigger`),
    isVersioned: true,
    purpose: 'Gives the draft of a workflow a trigger, in the place of the one that it has.',
    example: {
      ...example,
      type: 'scheduledTime',
      config: { unit: 'weeks', interval: 1, timeZone: 'Europe/Berlin' },
    },
  },
  getTrigger: {
    ...get(`${one}/trigger/{triggerId}`),
    isVersioned: true,
    purpose: 'Answers the trigger of a draft.',
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
      'Makes the token and the secret by which the webhook of a workflow is called, in the place of those before. They are shown once.',
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
      'Adds an action to the draft of a workflow, right after another node; what came after that follows the action.',
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
    purpose: 'Answers an action of a draft.',
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
    purpose: 'Takes an action out of a draft; what comes after it takes its place.',
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
      'Adds a condition or a repetition to the draft of a workflow, right after another node, with the control nodes that mark its parts.',
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
    purpose: 'Answers a condition or a repetition of a draft.',
    example: { ...example, logicId: '{logicId}' },
  },
  updateLogic: {
    ...put(`${one}/logic/{logicId}`),
    isVersioned: true,
    purpose:
      'Changes a condition or a repetition of a draft; what is left out stays. Branches with nodes in them stay, too.',
    example: { ...example, logicId: '{logicId}', name: 'For each reader' },
  },
  deleteLogic: {
    ...del(`${one}/logic/{logicId}`),
    purpose:
      'Takes a condition or a repetition out of a draft with all that is in it; what comes after it takes its place.',
    example: { ...example, logicId: '{logicId}' },
  },
}
