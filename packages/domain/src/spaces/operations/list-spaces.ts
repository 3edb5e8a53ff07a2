import { z } from 'zod'
import { isWithinReach } from '../../access/actor.ts'
import { signedIn } from '../../access/guard.ts'
import { defineRead } from '../../use-case.ts'
import { spaceOutput } from '../space.ts'

/** Lists the spaces the caller has a role in, oldest first. */
export const listSpaces = defineRead({
  summary: 'List my spaces',
  input: z.object({}),
  output: z.array(spaceOutput),
  access: signedIn({ action: 'space|read' }),
  run: async ({ tx, actor, userId }) => {
    const spaces = await tx.spaces.listOf(userId)
    return spaces
      .filter(({ space }) => isWithinReach(actor, space.id))
      .map(({ space, role }) => ({ id: space.id, name: space.name, role }))
  },
})
