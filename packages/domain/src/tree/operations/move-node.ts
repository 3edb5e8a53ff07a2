import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { moveNodeIn } from '../move-node-in.ts'
import { readTree } from '../read-tree.ts'
import type { Destination } from '../tree.ts'
import { onNode } from './node-guard.ts'
import { nodeOutput, readableTypes, viewNode } from './node-output.ts'

/** Moves a node: last into a folder (null: to the root), or beside another node. */
export const moveNode = defineWrite({
  summary: 'Move a node within its base',
  input: z.object({
    baseId: idSchema,
    nodeId: idSchema,
    parentId: idSchema.nullable().optional(),
    anchorId: idSchema.optional(),
    position: z.enum(['before', 'after']).optional(),
  }),
  output: nodeOutput,
  access: onNode(({ read }) => [read, 'base|update'], 'update'),
  needs: ['settings'],
  run: async (context, input) => {
    const { tx, node } = context
    const canRead = readableTypes(context)
    const tree = await readTree(tx, node.baseId, canRead)
    await moveNodeIn(context, tree, node, toDestination(input))
    return viewNode(tx, node, canRead)
  },
})

function toDestination({
  parentId,
  anchorId,
  position = 'after',
}: {
  parentId?: string | null | undefined
  anchorId?: string | undefined
  position?: 'before' | 'after' | undefined
}): Destination {
  if (anchorId === undefined) {
    if (parentId === undefined) throw invalidAt([], 'either parentId or anchorId must be given')
    return { parentId }
  }
  if (typeof parentId === 'string') {
    throw invalidAt(['anchorId'], 'must not be given together with parentId')
  }
  return { anchorId, position }
}
