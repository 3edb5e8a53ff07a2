import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineRead } from '../../use-case.ts'
import { showEntries, trashListShape } from './show-entries.ts'
import { toTrashPage, trashPageShape, trashPosition } from './trash-cursor.ts'
import { onTrashOf, trashPlaces } from './trash-guard.ts'

/** Lists what lies in the trash of a base or a table, newest first. */
export const listTrashItems = defineRead({
  summary: 'List the trash of a base or a table',
  input: z.object({
    resourceId: idSchema.describe('The base or the table'),
    resourceType: z.enum(trashPlaces).describe('Which of the two it is'),
    ...trashPageShape,
  }),
  output: z.object(trashListShape),
  access: onTrashOf({ base: ['table|trash_read'], table: ['table|trash_read'] }),
  needs: ['secrets'],
  run: async (context, { resourceId, resourceType, cursor, pageSize }) => {
    const { tx, secrets, table } = context
    const trash = `${resourceType}:${resourceId}`
    const after = trashPosition({ secrets, trash, cursor })
    const most = pageSize ?? limits.trashEntriesPerPage
    const entries = await tx.trash.listOf(resourceId, { after, take: most + 1 })
    const { page, nextCursor } = toTrashPage({ secrets, trash }, entries, most)
    return { ...(await showEntries(context, page, table)), nextCursor }
  },
})
