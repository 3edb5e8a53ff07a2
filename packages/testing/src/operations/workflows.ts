import fc from 'fast-check'
import { name, oddValue, position, ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

/** A workflow that a step may be about; the id of something else, now and then. */
function idOfWorkflow(known: ScriptState, workflow: Ref): string {
  return known.nodeOfType('workflow', workflow)?.resourceId ?? 'unknown'
}

/** The workflow, and the base that it lies in. */
function named(known: ScriptState, workflow: Ref) {
  const workflowId = idOfWorkflow(known, workflow)
  return { baseId: known.baseIdOf(workflowId), workflowId }
}

const one = fc.record({ workflow: ref })
const toOne = ({ workflow }: { readonly workflow: Ref }, known: ScriptState) =>
  named(known, workflow)

/** A trigger, most of them on a table that there is. */
const trigger = fc.record(
  {
    type: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('recordCreated', 'webhook', 'recordUpdated') },
      { weight: 1, arbitrary: fc.constant('sunrise') },
    ),
    name,
    config: fc.oneof(
      { weight: 6, arbitrary: fc.record({ table: ref }) },
      { weight: 2, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.record({ method: oddValue }) },
    ),
  },
  { requiredKeys: ['type'] },
)

type SentTrigger = { config?: { table?: Ref } | { method?: unknown } } | undefined

/** The trigger with the table that it is about. */
function toTrigger({ tables }: ScriptState, trigger: SentTrigger) {
  if (!trigger) return {}
  const { config = {} } = trigger
  const { table, ...rest } = config as { readonly table?: Ref }
  return {
    trigger: { ...trigger, config: table === undefined ? rest : { tableId: tables.idOf(table) } },
  }
}

interface LogicOutput {
  readonly logic: NodeOutput
  readonly controls: readonly NodeOutput[]
}

interface NodeOutput {
  readonly id: string
}

const actionType = fc.constantFrom('script', 'sendEmail', 'createRecord', 'sing')
const logicType = fc.constantFrom('condition', 'Repeat', 'Repeat', 'guess')
const onNode = fc.record({ workflow: ref, node: ref })
const changeOfNode = fc.record({
  workflow: ref,
  node: ref,
  change: fc.oneof(
    fc.record({ name }),
    fc.constant({ config: {} }),
    fc.constant({ config: { branches: [{}, { name: 'Else' }] } }),
    fc.record({ config: oddValue }),
  ),
})

/** A node of the workflow, most often; that of another one, now and then. */
function idOfFlowNode({ flowNodes }: ScriptState, workflowId: string, node: Ref): string {
  const own = flowNodes.there.filter((one) => one.workflowId === workflowId)
  return (node < 0 ? flowNodes.find(node) : own[node % own.length])?.id ?? 'unknown'
}

function toNode(member: 'triggerId' | 'actionId' | 'logicId') {
  return (
    { workflow, node }: { readonly workflow: Ref; readonly node: Ref },
    known: ScriptState,
  ) => {
    const flow = named(known, workflow)
    return { ...flow, [member]: idOfFlowNode(known, flow.workflowId, node) }
  }
}

function toNewNode(
  { workflow, parent, ...rest }: { workflow: Ref; parent: Ref; type: string; name: unknown },
  known: ScriptState,
) {
  const flow = named(known, workflow)
  return { ...flow, ...rest, parentNodeId: idOfFlowNode(known, flow.workflowId, parent) }
}

/** Takes a node in that an answer tells of. */
function learnNode(
  { flowNodes }: ScriptState,
  { id }: NodeOutput,
  { workflowId }: Readonly<Record<string, unknown>>,
): void {
  flowNodes.add({ id, workflowId: String(workflowId) })
}

export const workflowOperations: ScriptedFeature<'workflows'> = {
  createWorkflow: scripted({
    weight: 2,
    args: fc.record({ base: ref, name, trigger }, { requiredKeys: ['base'] }),
    toInput: ({ base, trigger, ...rest }, known) => ({
      baseId: known.bases.idOf(base),
      ...toTrigger(known, trigger),
      ...rest,
    }),
  }),
  listWorkflows: scripted({
    weight: 1,
    args: fc.record({ base: ref, onlyFirst: fc.boolean() }, { requiredKeys: ['base'] }),
    toInput: ({ base, ...rest }, { bases }) => ({ baseId: bases.idOf(base), ...rest }),
  }),
  getWorkflow: scripted({
    weight: 2,
    args: one,
    toInput: toOne,
    learn: (known, { nodes }: { readonly nodes: readonly NodeOutput[] }, input) => {
      for (const node of nodes) learnNode(known, node, input)
    },
  }),
  getActiveSnapshot: scripted({ weight: 2, args: one, toInput: toOne }),
  updateWorkflow: scripted({
    weight: 2,
    args: fc.record(
      { workflow: ref, name, description: fc.constantFrom('Long', null), trigger },
      { requiredKeys: ['workflow'] },
    ),
    toInput: ({ workflow, trigger, ...rest }, known) => ({
      ...named(known, workflow),
      ...toTrigger(known, trigger),
      ...rest,
    }),
  }),
  setWorkflowActive: scripted({
    weight: 3,
    args: fc.record({
      workflow: ref,
      method: fc.constantFrom('activate', 'activate', 'deactivate', 'discard', 'toggle'),
    }),
    toInput: ({ workflow, method }, known) => ({ ...named(known, workflow), method }),
  }),
  moveWorkflow: scripted({
    weight: 1,
    args: fc.record({ workflow: ref, anchor: ref, position }),
    toInput: ({ workflow, anchor, position }, known) => ({
      ...named(known, workflow),
      anchorId: idOfWorkflow(known, anchor),
      position,
    }),
  }),
  duplicateWorkflow: scripted({ weight: 0.7, args: one, toInput: toOne }),
  deleteWorkflow: scripted({
    weight: 0.6,
    args: one,
    toInput: toOne,
    learn: (known, _answer, { workflowId }) => known.dropResource(String(workflowId)),
  }),
  deleteWorkflowPermanently: scripted({
    weight: 0.4,
    args: one,
    toInput: toOne,
    learn: (known, _answer, { workflowId }) => known.dropResource(String(workflowId)),
  }),
  setTrigger: scripted({
    weight: 2,
    args: fc.record({ workflow: ref, trigger }),
    toInput: ({ workflow, trigger }, known) => ({
      ...named(known, workflow),
      ...toTrigger(known, trigger).trigger,
    }),
    learn: learnNode,
  }),
  getTrigger: scripted({ weight: 1, args: onNode, toInput: toNode('triggerId') }),
  updateTrigger: scripted({
    weight: 1,
    args: changeOfNode,
    toInput: ({ change, ...args }, known) => ({ ...toNode('triggerId')(args, known), ...change }),
  }),
  generateWebhookToken: scripted({ weight: 1, args: onNode, toInput: toNode('triggerId') }),
  addAction: scripted({
    weight: 4,
    args: fc.record({ workflow: ref, parent: ref, type: actionType, name }),
    toInput: toNewNode,
    learn: learnNode,
  }),
  getAction: scripted({ weight: 1, args: onNode, toInput: toNode('actionId') }),
  updateAction: scripted({
    weight: 1,
    args: changeOfNode,
    toInput: ({ change, ...args }, known) => ({ ...toNode('actionId')(args, known), ...change }),
  }),
  deleteAction: scripted({ weight: 1, args: onNode, toInput: toNode('actionId') }),
  duplicateAction: scripted({ weight: 1, args: onNode, toInput: toNode('actionId') }),
  addLogic: scripted({
    weight: 3,
    args: fc.record({ workflow: ref, parent: ref, type: logicType, name }),
    toInput: toNewNode,
    learn: (known, { logic, controls }: LogicOutput, { workflowId }) => {
      for (const node of [logic, ...controls]) learnNode(known, node, { workflowId })
    },
  }),
  getLogic: scripted({ weight: 1, args: onNode, toInput: toNode('logicId') }),
  updateLogic: scripted({
    weight: 1,
    args: changeOfNode,
    toInput: ({ change, ...args }, known) => ({ ...toNode('logicId')(args, known), ...change }),
  }),
  deleteLogic: scripted({ weight: 1, args: onNode, toInput: toNode('logicId') }),
}

export const workflowSamples: SamplesIn<'workflows'> = (place) => {
  const { baseId, tableId, workflowId, otherWorkflowId: anchorId } = place
  const one = { baseId, workflowId }
  const { triggerId, actionId, logicId } = place
  const trigger = { type: 'recordCreated', config: { tableId } }
  return {
    createWorkflow: { input: { baseId, name: 'New', trigger } },
    listWorkflows: { input: { baseId } },
    getWorkflow: { input: one },
    getActiveSnapshot: { input: one },
    updateWorkflow: { input: { ...one, name: 'Renamed' } },
    setWorkflowActive: { input: { ...one, method: 'deactivate' } },
    moveWorkflow: { input: { ...one, anchorId, position: 'before' } },
    duplicateWorkflow: { input: one },
    deleteWorkflow: { input: one },
    deleteWorkflowPermanently: { input: one },
    setTrigger: { input: { ...one, type: 'webhook' } },
    getTrigger: { input: { ...one, triggerId } },
    updateTrigger: { input: { ...one, triggerId, name: 'Renamed' } },
    generateWebhookToken: {
      input: { baseId, workflowId: place.webhookWorkflowId, triggerId: place.webhookTriggerId },
    },
    addAction: { input: { ...one, type: 'script', parentNodeId: triggerId } },
    getAction: { input: { ...one, actionId } },
    updateAction: { input: { ...one, actionId, name: 'Renamed' } },
    deleteAction: { input: { ...one, actionId } },
    duplicateAction: { input: { ...one, actionId } },
    addLogic: { input: { ...one, type: 'condition', parentNodeId: triggerId } },
    getLogic: { input: { ...one, logicId } },
    updateLogic: { input: { ...one, logicId, name: 'Renamed' } },
    deleteLogic: { input: { ...one, logicId } },
  }
}
