import { isWithinReach } from '../../access/actor.ts'
import { decide, type Guard, type Requirement, requireUserId } from '../../access/guard.ts'
import type { Lock } from '../../access/lock.ts'
import type { Action } from '../../access/roles.ts'
import { type BaseScope, onBase } from '../../bases/base-guard.ts'
import { notFound } from '../../errors.ts'
import type { ReadTx } from '../../store.ts'
import { findNode } from '../find-node.ts'
import { type DescribedNode, type ResourceType, resourceTypes } from '../tree-node.ts'
import type { NodeResource } from './node-resource.ts'
import { nodeResourceOf } from './node-resources.ts'

export interface NodeScope extends BaseScope {
  readonly node: DescribedNode
}

type ActionsOf = (actions: NodeResource['actions']) => readonly Action[]

/** Lets those pass who may create a node of the type in the base, whose tree is held from here on. */
export function onNewNode(): Guard<{ baseId: string; resourceType: ResourceType }, BaseScope> {
  return {
    requirement: {
      on: 'base',
      ...actionsOfTypes(({ create }) => [create]),
      sessionOnly: false,
    },
    enter: (tx, actor, input) => {
      const { create } = nodeResourceOf(input.resourceType).actions
      return onBase(create, 'update').enter(tx, actor, input)
    },
  }
}

/**
 * Lets those pass who may take the actions on the node that the input names, by the node's own id or by
 * that of the resource it stands for; which ones depends on the
 * type of its resource. Writes hold the whole tree by way of the base (`update`), so that two moves at
 * one time can't make a circle.
 */
export function onNode(
  actionsOf: ActionsOf,
  lock: Lock = 'none',
): Guard<{ baseId: string; nodeId: string }, NodeScope> {
  return guardNode(resourceTypes, actionsOf, lock, ({ nodeId }) => ({
    what: 'node',
    id: nodeId,
    find: (tx, baseId) => findNode(tx, baseId, nodeId),
  }))
}

/** As `onNode`, for routes that name a folder. */
export function onFolder(
  actionsOf: ActionsOf,
  lock: Lock = 'none',
): Guard<{ baseId: string; folderId: string }, NodeScope> {
  return guardNode(['folder'], actionsOf, lock, ({ folderId }) => ({
    what: 'folder',
    id: folderId,
    find: async (tx, baseId) => {
      const node = await findNode(tx, baseId, folderId)
      return node?.resourceType === 'folder' ? node : undefined
    },
  }))
}

/** What an input names, and how to find it. */
interface Named {
  readonly what: string
  readonly id: string
  find(tx: ReadTx, baseId: string): Promise<DescribedNode | undefined>
}

function guardNode<Input extends { baseId: string }>(
  types: readonly ResourceType[],
  actionsOf: ActionsOf,
  lock: Lock,
  nameOf: (input: Input) => Named,
): Guard<Input, NodeScope> {
  return {
    requirement: { on: 'node', ...actionsOfTypes(actionsOf, types), sessionOnly: false },
    enter: async (tx, actor, input) => {
      const userId = requireUserId(actor)
      const { baseId } = input
      const access = await tx.access.findBase(baseId, userId, lock)
      if (!access?.role || !isWithinReach(actor, access.base.spaceId, baseId)) {
        throw notFound('base', baseId)
      }
      const { base, role } = access
      const { what, id, find } = nameOf(input)
      const node = await find(tx, baseId)
      if (!node) throw notFound(what, id)
      for (const action of actionsOf(nodeResourceOf(node.resourceType).actions)) {
        decide(actor, role, action, { spaceId: base.spaceId, baseId, what, id })
      }
      return { scope: { userId, base, role, node }, version: node.version }
    },
  }
}

/** What the actions are for nodes of the types. */
function actionsOfTypes(
  actionsOf: ActionsOf,
  types: readonly ResourceType[] = resourceTypes,
): Pick<Requirement, 'actions' | 'actionsByResource'> {
  const actionsByResource = Object.fromEntries(
    types.map((type) => [type, actionsOf(nodeResourceOf(type).actions)]),
  )
  return { actions: [...new Set(Object.values(actionsByResource).flat())], actionsByResource }
}
