import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { defineRead } from '../../use-case.ts'
import { baseOutput, toBaseOutput } from '../base.ts'

/** Lists every base the caller has a role in, as far as their access token reaches. */
export const listAllBases = defineRead({
  summary: 'List all bases I can reach',
  input: z.object({}),
  output: z.array(baseOutput),
  access: signedIn({ action: 'base|read_all' }),
  run: async ({ tx, actor, userId }) => {
    const reach = actor.kind === 'token' ? actor.reach : undefined
    const bases = await tx.bases.listAll(
      userId,
      reach && { spaceIds: [...reach.spaceIds], baseIds: [...reach.baseIds] },
    )
    return bases.map(({ base, role }) => toBaseOutput(base, role))
  },
})
