import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { defineRead } from '../use-case.ts'
import { onNode } from './node-guard.ts'
import { nodeView, readableTypes, viewNode } from './node-view.ts'

/** Answers one node. */
export const getNode = defineRead({
  summary: 'Get a node of a base',
  input: z.object({ baseId: idSchema, nodeId: idSchema }),
  output: nodeView,
  access: onNode(({ read }) => [read]),
  run: (context) => viewNode(context.tx, context.node, readableTypes(context)),
})
