import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import { defineRead } from '../../use-case.ts'
import { baseOutput, toBaseOutput } from '../base.ts'

/** Lists the bases of a space in their order. */
export const listBases = defineRead({
  summary: 'List the bases of a space',
  input: z.object({ spaceId: idSchema }),
  output: z.array(baseOutput),
  access: onSpace('base|read'),
  run: async ({ tx, space, userId }) => {
    const bases = await tx.bases.listOf(space.id, userId)
    return bases.map(({ base, role }) => toBaseOutput(base, role))
  },
})
