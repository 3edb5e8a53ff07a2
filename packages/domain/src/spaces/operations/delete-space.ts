import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { schedulePurgeOfSpace } from '../../bases/operations/deletion/purge-base.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onSpace, onSpaceOrTrash } from '../space-guard.ts'

/** Moves a space to the trash, with all that is in it. */
export const deleteSpace = defineWrite({
  summary: 'Delete a space',
  input: z.object({ spaceId: idSchema }),
  output: noOutput,
  access: onSpace('space|delete', 'update'),
  run: async ({ tx, space, userId, now, ids }) => {
    await tx.invitations.deleteOf({ resourceType: 'space', resourceId: space.id })
    await tx.invitationLinks.deleteOf({ resourceType: 'space', resourceId: space.id })
    const deletion = { operationId: ids.next('operation'), time: now, userId }
    await tx.spaces.markDeleted(space.id, deletion)
    const what = { resourceType: 'space', resourceIds: [space.id] } as const
    await tx.trash.add(deletion, { placeId: space.id, ...what })
    tx.emit({ name: 'space.deleted', time: now, userId, payload: { spaceId: space.id } })
  },
})

/**
 * Removes a space for good, with all its bases: out of reach at once, purged in the background. It may lie in
 * the trash.
 */
export const deleteSpacePermanently = defineWrite({
  summary: 'Delete a space for good',
  input: z.object({ spaceId: idSchema }),
  output: noOutput,
  access: onSpaceOrTrash('space|delete'),
  run: async (context) => {
    const { tx, space, userId, now } = context
    await tx.purge.removeSpace(space.id)
    await schedulePurgeOfSpace(context, space.id)
    tx.emit({ name: 'space.deleted', time: now, userId, payload: { spaceId: space.id } })
  },
})
