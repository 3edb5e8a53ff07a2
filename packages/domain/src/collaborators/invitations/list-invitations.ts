import { z } from 'zod'
import { type Actor, hasScope } from '../../access/actor.ts'
import { roles } from '../../access/roles.ts'
import { onBase } from '../../bases/base-guard.ts'
import { idSchema } from '../../ids.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import { defineRead } from '../../use-case.ts'
import type { Invitation } from './invitation.ts'

/** An open invitation, without its token: that stands in the mail alone. */
const invitationOutput = z
  .object({
    invitationId: z.string().describe('The id of the invitation'),
    /** Left out for access tokens that may not see e-mail addresses. */
    email: z
      .string()
      .optional()
      .describe(
        'Whom it was sent to; left out for access tokens without the scope `user|email_read`',
      ),
    role: z.enum(roles).describe('The role that it gives'),
    /** The id of who invited. */
    createdBy: z.string().describe('The id of the user who invited'),
    createdTime: z.string().describe('When it was sent'),
    expiresTime: z.string().describe('Until when it can be accepted'),
  })
  .meta({ id: 'Invitation' })

/** Lists the open invitations to a space, at most `limits.invitationsPerResource`. */
export const listSpaceInvitations = defineRead({
  summary: 'List the open invitations to a space',
  input: z.object({ spaceId: idSchema }),
  output: z.array(invitationOutput),
  access: onSpace('space|invite_email'),
  run: async ({ tx, now, actor, space }) => {
    const place = { resourceType: 'space', resourceId: space.id } as const
    return (await tx.invitations.listOpen(place, now)).map(viewFor(actor))
  },
})

/** Lists the open invitations to a base, at most `limits.invitationsPerResource`. */
export const listBaseInvitations = defineRead({
  summary: 'List the open invitations to a base',
  input: z.object({ baseId: idSchema }),
  output: z.array(invitationOutput),
  access: onBase('base|invite_email'),
  run: async ({ tx, now, actor, base }) => {
    const place = { resourceType: 'base', resourceId: base.id } as const
    return (await tx.invitations.listOpen(place, now)).map(viewFor(actor))
  },
})

function viewFor(actor: Actor) {
  const showsEmail = hasScope(actor, 'user|email_read')
  return ({ id, email, role, createdBy, createdTime, expiresTime }: Invitation) => ({
    invitationId: id,
    ...(showsEmail && { email }),
    ...{ role, createdBy, createdTime, expiresTime },
  })
}
