import type { Action } from '@gateleg/domain/access/roles'
import { resourceTypes } from '@gateleg/domain/tree/tree-node'
import fc from 'fast-check'
import { icon, name, position, ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { KnownNode, ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

type NodeOutput = Omit<KnownNode, 'baseId'>

const onBase = {
  args: fc.record({ base: ref }),
  toInput: ({ base }: { readonly base: Ref }, { bases }: ScriptState) => ({
    baseId: bases.idOf(base),
  }),
}

/** A node and the base it lies in. */
function toNode({ nodes, bases }: ScriptState, node: Ref, found = nodes.find(node)) {
  return { baseId: found?.baseId ?? bases.idOf(0), nodeId: found?.id ?? 'unknown' }
}

/** A folder by its own id; the table or board that a step may name instead is none. */
function toFolder(known: ScriptState, folder: Ref) {
  const found = known.nodeOfType('folder', folder)
  return {
    baseId: found?.baseId ?? known.bases.idOf(0),
    folderId: found?.resourceId ?? 'unknown',
  }
}

/** The node of a folder, null for the root. */
function toParent(known: ScriptState, folder: Ref | null | undefined) {
  if (folder === undefined) return {}
  if (folder === null) return { parentId: null }
  return { parentId: known.nodeOfType('folder', folder)?.id ?? known.nodes.idOf(folder) }
}

const parent = fc.option(ref, { nil: null })

export const treeOperations: ScriptedFeature<'tree'> = {
  createNode: scripted({
    weight: 4,
    args: fc.record(
      {
        base: ref,
        // Tables are slow to make, and have operations of their own.
        resourceType: fc.oneof(
          { weight: 12, arbitrary: fc.constantFrom('folder', 'folder', 'dashboard', 'workflow') },
          { weight: 1, arbitrary: fc.constantFrom(...resourceTypes, 'plugin') },
        ),
        name,
        parent,
      },
      { requiredKeys: ['base', 'resourceType', 'name'] },
    ),
    toInput: ({ base, parent, ...rest }, known) => ({
      baseId: known.bases.idOf(base),
      ...toParent(known, parent),
      ...rest,
    }),
    learn: (known, node: NodeOutput, { baseId }) => known.addNode(String(baseId), node),
  }),
  getNode: scripted({
    weight: 1,
    args: fc.record({ node: ref }),
    toInput: ({ node }, known) => toNode(known, node),
  }),
  listNodes: scripted({
    weight: 3,
    ...onBase,
    learn: (known, nodes: readonly NodeOutput[], { baseId }) => {
      for (const node of nodes) known.addNode(String(baseId), node)
    },
  }),
  getTree: scripted({
    weight: 1,
    ...onBase,
    learn: (known, { nodes }: { readonly nodes: readonly NodeOutput[] }, { baseId }) => {
      for (const node of nodes) known.addNode(String(baseId), node)
    },
  }),
  updateNode: scripted({
    weight: 2,
    args: fc.record({ node: ref, name, icon }, { requiredKeys: ['node'] }),
    toInput: ({ node, ...rest }, known) => ({ ...toNode(known, node), ...rest }),
  }),
  moveNode: scripted({
    weight: 6,
    args: fc.oneof(
      fc.record({ node: ref, parent }),
      fc.record({ node: ref, anchor: ref, position }, { requiredKeys: ['node', 'anchor'] }),
      fc.record({ node: ref, parent, anchor: ref, position }, { requiredKeys: ['node'] }),
    ),
    toInput: (args: { node: Ref; parent?: Ref | null; anchor?: Ref; position?: string }, known) => {
      const { node, parent, anchor, position } = args
      return {
        ...toNode(known, node),
        ...toParent(known, parent),
        ...(anchor !== undefined && { anchorId: known.nodes.idOf(anchor) }),
        ...(position !== undefined && { position }),
      }
    },
  }),
  duplicateNode: scripted({
    weight: 0.7,
    args: fc.record({ node: ref, name, includeRecords: fc.boolean() }, { requiredKeys: ['node'] }),
    toInput: ({ node, ...rest }, known) => ({ ...toNode(known, node), ...rest }),
    learn: (known, node: NodeOutput, { baseId }) => known.addNode(String(baseId), node),
  }),
  deleteNode: scripted({
    weight: 0.8,
    args: fc.record({ node: ref }),
    toInput: ({ node }, known) => toNode(known, node, known.nodes.findLater(node)),
    learn: (known, { resourceId }: NodeOutput) => known.dropResource(resourceId),
  }),
  deleteNodePermanently: scripted({
    weight: 0.8,
    args: fc.record({ node: ref }),
    toInput: ({ node }, known) => toNode(known, node, known.nodes.findLater(node)),
    learn: (known, { resourceId }: NodeOutput) => known.dropResource(resourceId),
  }),
  createFolder: scripted({
    weight: 1,
    args: fc.record({ base: ref, name }),
    toInput: ({ base, name }, { bases }) => ({ baseId: bases.idOf(base), name }),
  }),
  renameFolder: scripted({
    weight: 1,
    args: fc.record({ folder: ref, name }),
    toInput: ({ folder, name }, known) => ({ ...toFolder(known, folder), name }),
  }),
  deleteFolder: scripted({
    weight: 0.5,
    args: fc.record({ folder: ref }),
    toInput: ({ folder }, known) => toFolder(known, folder),
    learn: (known, _answer, { folderId }) => known.dropResource(String(folderId)),
  }),
}

/** What the operations of the tree take depends on what the node stands for. */
export const treeSamples: SamplesIn<'tree'> = (place) => {
  const { baseId, tableNodeId, folderNodeId, folderId, dashboardNodeId } = place
  const folder = (actions: readonly Action[], more: object = {}): Sample => ({
    about: 'folder',
    input: { baseId, nodeId: folderNodeId, ...more },
    actions,
  })
  const table = (actions: readonly Action[], more: object = {}): Sample => ({
    about: 'table',
    input: { baseId, nodeId: tableNodeId, ...more },
    actions,
  })
  const made = (resourceType: string, action: Action): Sample => ({
    about: resourceType,
    input: { baseId, resourceType, name: 'New' },
    actions: [action],
  })
  return {
    createNode: [
      made('folder', 'base|update'),
      made('dashboard', 'base|update'),
      made('table', 'table|create'),
      made('workflow', 'automation|create'),
    ],
    getNode: [folder(['base|read']), table(['table|read'])],
    listNodes: { input: { baseId } },
    getTree: { input: { baseId } },
    updateNode: [
      folder(['base|read', 'base|update'], { name: 'Renamed' }),
      table(['table|read', 'table|update'], { name: 'Renamed' }),
    ],
    moveNode: [
      folder(['base|update'], { parentId: null }),
      table(['table|read', 'base|update'], { parentId: folderNodeId }),
    ],
    duplicateNode: [
      {
        about: 'dashboard',
        input: { baseId, nodeId: dashboardNodeId },
        actions: ['base|read', 'base|update'],
      },
      table(['table|read', 'table|create'], { includeRecords: true }),
    ],
    deleteNode: [folder(['base|update']), table(['table|delete'])],
    deleteNodePermanently: [folder(['base|update']), table(['table|delete'])],
    createFolder: { input: { baseId, name: 'New' } },
    renameFolder: { input: { baseId, folderId, name: 'Renamed' }, actions: ['base|update'] },
    deleteFolder: { input: { baseId, folderId }, actions: ['base|update'] },
  }
}
