import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onNode } from './node-guard.ts'
import { nodeOutput, readableTypes, viewNode } from './node-output.ts'

/** Answers one node. */
export const getNode = defineRead({
  summary: 'Get a node of a base',
  input: z.object({ baseId: idSchema, nodeId: idSchema }),
  output: nodeOutput,
  access: onNode(({ read }) => [read]),
  run: (context) => viewNode(context.tx, context.node, readableTypes(context)),
})
