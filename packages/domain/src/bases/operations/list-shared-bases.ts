import { z } from 'zod'
import { defineRead } from '../../use-case.ts'
import { baseOutput } from '../base.ts'
import { findAllBases, onAllBases } from './list-all-bases.ts'

/** Lists the bases in which the caller has a role of their own alone, as far as their access token reaches. */
export const listSharedBases = defineRead({
  summary: 'List the bases that are shared with me alone',
  input: z.object({}),
  output: z.array(baseOutput),
  access: onAllBases,
  run: async (context) => {
    const bases = await findAllBases(context)
    const spaceIds = [...new Set(bases.map(({ spaceId }) => spaceId))]
    const { tx, userId } = context
    const own = new Set(
      (await tx.access.placesWithRole(userId, { spaceIds, baseIds: [] })).spaceIds,
    )
    return bases.filter(({ spaceId }) => !own.has(spaceId))
  },
})
