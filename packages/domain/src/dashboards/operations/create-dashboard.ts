import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { boardOutput, toBoardOutput } from '../../boards/board.ts'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { makeNode } from '../../tree/operations/create-node.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'

/** Creates a dashboard with nothing on it, last at the root of the tree. Names may repeat. */
export const createDashboard = defineWrite({
  summary: 'Create a dashboard',
  input: z.object({ baseId: idSchema, name: nameSchema }),
  output: boardOutput,
  access: onBase('base|update', 'update'),
  needs: ['settings'],
  run: async (context, { baseId, name }) => {
    const { resourceId } = await makeNode(context, { baseId, resourceType: 'dashboard', name })
    const dashboard = await context.tx.dashboards.find(resourceId)
    assert(dashboard, 'the dashboard that was made is there')
    return toBoardOutput(dashboard)
  },
})
