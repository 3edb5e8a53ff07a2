import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { nodeOutput, readableTypes, toNodeViews } from './node-output.ts'

/** Lists the nodes of a base that the caller may read: flat, by order. */
export const listNodes = defineRead({
  summary: 'List the nodes of a base',
  input: z.object({ baseId: idSchema }),
  output: z.array(nodeOutput),
  access: onBase('base|read'),
  run: async (context) =>
    toNodeViews(await context.tx.nodes.list(context.base.id), readableTypes(context)),
})
