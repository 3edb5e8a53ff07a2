import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import { defineRead } from '../../use-case.ts'
import { levels, planLimitsSchema } from '../product.ts'
import { findUsage } from '../require-room.ts'

/** Answers what a space may have by its level, and what it has. */
export const getSpaceUsage = defineRead({
  summary: 'Get the usage of a space',
  input: z.object({ spaceId: idSchema }),
  output: z
    .object({
      level: z.enum(levels).describe('The level of the space'),
      limit: planLimitsSchema.describe('What the level allows'),
      usage: z
        .object({
          rows: z.int().describe('Records in its tables, as of the last minute'),
          attachmentBytes: z.int().describe('Bytes of its files, as of the last seconds'),
          collaborators: z.int().describe('People with a role in it or in a base of it'),
        })
        .describe('What is there'),
    })
    .meta({ id: 'SpaceUsage' }),
  access: onSpace('space|read'),
  needs: ['plans'],
  run: async (context, { spaceId }) => {
    const { plans, tx } = context
    const found = await findUsage(context, plans, spaceId)
    const collaborators = await tx.usage.countCollaborators(spaceId)
    return { ...plans.of(spaceId), usage: { ...found, collaborators } }
  },
})
