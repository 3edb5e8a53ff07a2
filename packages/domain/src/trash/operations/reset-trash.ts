import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { schedulePurge } from './purge-trash.ts'
import { nextTrashCursor, toTrashPage, trashPageShape, trashPosition } from './trash-cursor.ts'
import { onTrashOf, trashPlaces } from './trash-guard.ts'

/**
 * Purges the trash of a base or a table: all of it, or one page, newest first. What it names is out of reach at once, and
 * the background takes it away.
 */
export const resetTrash = defineWrite({
  summary: 'Empty the trash of a base or a table',
  input: z.object({
    resourceId: idSchema.describe('The base or the table'),
    resourceType: z.enum(trashPlaces).describe('Which of the two it is'),
    ...trashPageShape,
  }),
  output: z.object({
    resetCount: z.int().describe('How many entries were purged'),
    nextCursor: nextTrashCursor,
  }),
  access: onTrashOf(
    {
      base: ['table|delete', 'automation|delete', 'base|update'],
      table: ['table|trash_reset'],
    },
    'update',
  ),
  needs: ['secrets'],
  run: async (context, { resourceId, resourceType, cursor, pageSize }) => {
    const { tx, secrets } = context
    if (cursor === undefined && pageSize === undefined) {
      const resetCount = await tx.trash.discardAll(resourceId)
      if (resetCount > 0) await schedulePurge(context)
      return { resetCount, nextCursor: null }
    }
    const trash = `${resourceType}:${resourceId}`
    const after = trashPosition({ secrets, trash, cursor })
    const most = pageSize ?? limits.trashEntriesPerPage
    const entries = await tx.trash.listOf(resourceId, { after, take: most + 1 })
    const { page, nextCursor } = toTrashPage({ secrets, trash }, entries, most)
    await tx.trash.discard(page.map(({ id }) => id))
    if (page.length > 0) await schedulePurge(context)
    return { resetCount: page.length, nextCursor }
  },
})
