import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { nothing } from '../nothing.ts'
import { defineWrite } from '../use-case.ts'
import { onBase } from './base-guard.ts'

/** Moves a base to the trash, with all that is in it. */
export const deleteBase = defineWrite({
  summary: 'Delete a base',
  input: z.object({ baseId: idSchema }),
  output: nothing,
  access: onBase('base|delete', 'update'),
  run: async ({ tx, base, userId, now, ids }) => {
    await tx.bases.markDeleted(base.id, { operationId: ids.next('operation'), time: now, userId })
    const payload = { spaceId: base.spaceId, baseId: base.id }
    tx.emit({ name: 'base.deleted', time: now, userId, payload })
  },
})
