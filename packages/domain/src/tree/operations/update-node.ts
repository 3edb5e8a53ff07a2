import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { iconSchema, nameSchema } from '../../values/names.ts'
import { onNode } from './node-guard.ts'
import { nodeOutput, readableTypes, viewNode } from './node-output.ts'
import { nodeResourceOf } from './node-resources.ts'

/** Changes the name of a node's resource, and its icon if it has one. */
export const updateNode = defineWrite({
  summary: 'Rename a node or change its icon',
  input: z.object({
    baseId: idSchema,
    nodeId: idSchema,
    name: nameSchema.optional(),
    icon: iconSchema.nullable().optional(),
  }),
  output: nodeOutput,
  access: onNode(({ read, update }) => [read, update], 'update'),
  run: async (context, { name, icon }) => {
    const { tx, node } = context
    await nodeResourceOf(node.resourceType).change(context, node, { name, icon })
    return viewNode(tx, node, readableTypes(context))
  },
})
