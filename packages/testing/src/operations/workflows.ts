import fc from 'fast-check'
import { name, oddValue, position, ref } from '../differential/arguments.ts'
import type { KnownThings } from '../differential/known-things.ts'
import type { Ref } from '../differential/script.ts'
import { type ScriptedFeature, scripted } from '../differential/scripted-operation.ts'
import type { SamplesIn } from '../operation-sample.ts'

/** A workflow that a step may be about; the id of something else, now and then. */
function idOfWorkflow({ nodes }: KnownThings, workflow: Ref): string {
  const flows = nodes.there.filter(({ resourceType }) => resourceType === 'workflow')
  const found = workflow < 0 ? nodes.find(workflow) : flows[workflow % flows.length]
  return found?.resourceId ?? 'unknown'
}

/** The workflow, and the base that it lies in. */
function named(known: KnownThings, workflow: Ref) {
  const workflowId = idOfWorkflow(known, workflow)
  const node = known.nodes.all.find(({ resourceId }) => resourceId === workflowId)
  return { baseId: node?.baseId ?? known.bases.idOf(0), workflowId }
}

const one = fc.record({ workflow: ref })
const toOne = ({ workflow }: { readonly workflow: Ref }, known: KnownThings) =>
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
function toTrigger({ tables }: KnownThings, trigger: SentTrigger) {
  if (!trigger) return {}
  const { config = {} } = trigger
  const { table, ...rest } = config as { readonly table?: Ref }
  return {
    trigger: { ...trigger, config: table === undefined ? rest : { tableId: tables.idOf(table) } },
  }
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
  getWorkflow: scripted({ weight: 1, args: one, toInput: toOne }),
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
}

export const workflowSamples: SamplesIn<'workflows'> = (place) => {
  const { baseId, tableId, workflowId, otherWorkflowId: anchorId } = place
  const one = { baseId, workflowId }
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
  }
}
