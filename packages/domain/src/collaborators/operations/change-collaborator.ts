import { z } from 'zod'
import { type Role, roles } from '../../access/roles.ts'
import { noOutput } from '../../answers/no-output.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import type { WriteTx } from '../../store.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import { baseRoles, type Collaborator, requireGrantable, requireLower } from '../collaborator.ts'
import { findBaseCollaborator, findSpaceCollaborator } from '../find-collaborator.ts'
import { onHeldBase, onHeldSpace, orThemself } from '../place-guard.ts'
import { principalSchema } from '../principal.ts'
import { requireOtherOwner } from '../require-other-owner.ts'

/** Gives a collaborator of a space another role there. */
export const changeSpaceCollaborator = defineWrite({
  summary: 'Change the role of a collaborator of a space',
  input: z.object({ spaceId: idSchema, ...principalSchema.shape, role: z.enum(roles) }),
  output: noOutput,
  access: orThemself(onHeldSpace, { action: 'space|grant_role', seeing: 'space|read' }),
  run: async (context, { principalId, role }) => {
    requireGrantable(context.role, role)
    const collaborator = await findSpaceCollaborator(context, principalId)
    if (role === 'owner') await requireStaying(context.tx, collaborator)
    else await requireOtherOwner(context.tx, collaborator)
    await changeRole(context, collaborator, role)
  },
})

/** Holds whoever becomes an owner: were their account to end at the same time, a space that counts on them would have none. */
async function requireStaying(tx: WriteTx, { role, userId }: Collaborator): Promise<void> {
  if (role === 'owner' || (await tx.users.livingAmong([userId], 'share')).has(userId)) return
  throw notFound('collaborator', userId)
}

/** Gives a collaborator of a base another role there. */
export const changeBaseCollaborator = defineWrite({
  summary: 'Change the role of a collaborator of a base',
  input: z.object({ baseId: idSchema, ...principalSchema.shape, role: z.enum(baseRoles) }),
  output: noOutput,
  access: orThemself(onHeldBase, { action: 'base|update', seeing: 'base|read' }),
  run: async (context, { principalId, role }) => {
    requireGrantable(context.role, role)
    await changeRole(context, await findBaseCollaborator(context, principalId), role)
  },
})

async function changeRole(
  { tx, now, userId }: CallContext & { readonly tx: WriteTx; readonly userId: string },
  collaborator: Collaborator,
  role: Role,
): Promise<void> {
  if (collaborator.userId === userId) requireLower(collaborator, role)
  if (collaborator.role === role) return
  const { resourceType, resourceId } = collaborator
  await tx.collaborators.changeRole(collaborator, collaborator.userId, role)
  const payload = { resourceType, resourceId, userId: collaborator.userId }
  tx.emit({ name: 'collaborator.updated', time: now, userId, payload })
}
