import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { nodeOutput, readableTypes, toNodeViews } from './node-output.ts'

/** The nodes of a base as `listNodes` answers them, and how deep folders may lie. */
export const getTree = defineRead({
  summary: 'Get the node tree of a base',
  input: z.object({ baseId: idSchema }),
  output: z.object({ nodes: z.array(nodeOutput), maxFolderDepth: z.number() }),
  access: onBase('base|read'),
  needs: ['settings'],
  run: async (context) => ({
    nodes: toNodeViews(await context.tx.nodes.list(context.base.id), readableTypes(context)),
    maxFolderDepth: context.settings.maxFolderDepth,
  }),
})
