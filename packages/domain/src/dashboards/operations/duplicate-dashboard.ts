import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { boardOutput, toBoardOutput } from '../../boards/board.ts'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { copyNode } from '../../tree/operations/duplicate-node.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { dashboardWithTree, onDashboard } from '../dashboard-guard.ts'

/** Copies a dashboard; the copy stands right after it in the tree. */
export const duplicateDashboard = defineWrite({
  summary: 'Duplicate a dashboard',
  input: z.object({
    baseId: idSchema,
    dashboardId: idSchema,
    name: nameSchema
      .optional()
      .describe(
        'What the copy is called; the name of the original, numbered, where it is left out',
      ),
  }),
  output: boardOutput,
  access: showing(onDashboard('base|update', dashboardWithTree), 'base|read'),
  run: async (context, { dashboardId, name }) => {
    const { tx } = context
    const node = await tx.nodes.findOf(dashboardId)
    assert(node, `the node of the dashboard ${dashboardId} is there`)
    const { resourceId } = await copyNode(context, node, { name })
    const copy = await tx.dashboards.find(resourceId)
    assert(copy, 'the copy that was made is there')
    return toBoardOutput(copy)
  },
})
