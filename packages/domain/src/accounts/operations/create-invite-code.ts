import { z } from 'zod'
import { instanceAdmin } from '../../access/guard.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'

/** Makes an invitation code, which is shown in this answer alone. */
export const createInviteCode = defineWrite({
  summary: 'Create an invitation code',
  input: z.object({ uses: z.int().min(1).max(limits.inviteCodeUses).default(1) }),
  output: z.object({ id: z.string(), code: z.string(), uses: z.int() }),
  answers: 'secret',
  access: instanceAdmin(),
  needs: ['secrets'],
  run: async ({ tx, userId, now, ids, secrets }, { uses }) => {
    const id = ids.next('inviteCode')
    const code = secrets.token()
    await tx.inviteCodes.insert({
      id,
      codeHash: secrets.digest(code),
      usesLeft: uses,
      createdBy: userId,
      createdTime: now,
    })
    return { id, code, uses }
  },
})
