import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import type { WriteTx } from '../../store.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import type { Collaborator } from '../collaborator.ts'
import { findBaseCollaborator, findSpaceCollaborator } from '../find-collaborator.ts'
import { onHeldBase, onHeldSpace, orThemself } from '../place-guard.ts'
import { principalSchema } from '../principal.ts'
import { requireOtherOwner } from '../require-other-owner.ts'

/** Takes a collaborator out of a space. Roles that they have in single bases stay. */
export const removeSpaceCollaborator = defineWrite({
  summary: 'Remove a collaborator from a space',
  input: z.object({ spaceId: idSchema, ...principalSchema.shape }),
  output: noOutput,
  access: orThemself(onHeldSpace, { action: 'space|grant_role', seeing: 'space|read' }),
  run: async (context, { principalId }) => {
    const collaborator = await findSpaceCollaborator(context, principalId)
    await requireOtherOwner(context.tx, collaborator)
    await remove(context, collaborator)
  },
})

/** Takes a collaborator out of a base. A role that they have in its space stays. */
export const removeBaseCollaborator = defineWrite({
  summary: 'Remove a collaborator from a base',
  input: z.object({ baseId: idSchema, ...principalSchema.shape }),
  output: noOutput,
  access: orThemself(onHeldBase, { action: 'base|update', seeing: 'base|read' }),
  run: async (context, { principalId }) => {
    await remove(context, await findBaseCollaborator(context, principalId))
  },
})

async function remove(
  { tx, now, userId }: CallContext & { readonly tx: WriteTx; readonly userId: string },
  collaborator: Collaborator,
): Promise<void> {
  const { resourceType, resourceId } = collaborator
  await tx.collaborators.delete(collaborator, collaborator.userId)
  const payload = { resourceType, resourceId, userId: collaborator.userId }
  tx.emit({ name: 'collaborator.removed', time: now, userId, payload })
}
