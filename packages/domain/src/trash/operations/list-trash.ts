import { z } from 'zod'
import { type CallerScope, type Guard, requireScope, signedIn } from '../../access/guard.ts'
import { type Action, canTake, roles } from '../../access/roles.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineRead } from '../../use-case.ts'
import { showEntries, trashListShape } from './show-entries.ts'
import { toTrashPage, trashPageShape, trashPosition } from './trash-cursor.ts'

const deletionOf = { space: 'space|delete', base: 'base|delete' } as const satisfies Readonly<
  Record<string, Action>
>

/** Lets who is signed in; a token needs the scope to delete what is listed. */
const access: Guard<{ readonly resourceType: 'space' | 'base' }, CallerScope> = {
  requirement: {
    on: 'account',
    actions: Object.values(deletionOf),
    actionsByResource: { space: [deletionOf.space], base: [deletionOf.base] },
    sessionOnly: false,
  },
  enter: async (tx, actor, input) => {
    const passage = await signedIn().enter(tx, actor, input)
    requireScope(actor, deletionOf[input.resourceType])
    return passage
  },
}

/** Lists the deleted spaces, or the deleted bases of living spaces, that the caller may bring back; newest first. */
export const listTrash = defineRead({
  summary: 'List deleted spaces or bases',
  input: z.object({
    resourceType: z.enum(['space', 'base']).describe('Which of the two'),
    spaceId: idSchema.optional().describe('Bases of this space alone'),
    ...trashPageShape,
  }),
  output: z.object(trashListShape),
  access,
  needs: ['secrets'],
  run: async (context, { resourceType, spaceId, cursor, pageSize }) => {
    const { tx, actor, userId, secrets } = context
    const action = deletionOf[resourceType]
    const reach = actor.kind === 'token' ? actor.reach : undefined
    const places = {
      userId,
      roles: roles.filter((role) => canTake(role, action)),
      ...(reach && { reach: { spaceIds: [...reach.spaceIds], baseIds: [...reach.baseIds] } }),
    }
    const trash = `${resourceType}:${resourceType === 'base' ? (spaceId ?? '') : ''} of ${userId}`
    const after = trashPosition({ secrets, trash, cursor })
    const most = pageSize ?? limits.trashEntriesPerPage
    const asked = { after, take: most + 1 }
    const entries =
      resourceType === 'space'
        ? await tx.trash.listSpaces(places, asked)
        : await tx.trash.listBases({ ...places, spaceId }, asked)
    const { page, nextCursor } = toTrashPage({ secrets, trash }, entries, most)
    return { ...(await showEntries(context, page)), nextCursor }
  },
})
