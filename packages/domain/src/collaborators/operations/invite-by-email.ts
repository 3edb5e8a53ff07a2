import { z } from 'zod'
import { requireKnownUser } from '../../access/known-users.ts'
import { roles } from '../../access/roles.ts'
import { sentEmailSchema } from '../../accounts/users/email.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { baseRoles } from '../collaborator.ts'
import { invite } from '../invitations/invite.ts'
import { toInvitersBase, toInvitersSpace } from '../invitations/inviters-place.ts'
import { mailInvitations } from '../invitations/mail-invitations.ts'
import { onHeldBase, onHeldSpace } from '../place-guard.ts'

const emailsSchema = z.array(sentEmailSchema).min(1).max(limits.collaboratorsPerRequest)

/** By the address as it was sent: who joined, or the invitation that was mailed. */
const invited = z.record(
  z.string(),
  z.union([
    z.object({ userId: z.string() }),
    z.object({ invitationId: z.string(), expiresTime: z.string() }),
  ]),
)

const onInvitersSpace = onHeldSpace('space|invite_email')
const onInvitersBase = onHeldBase('base|invite_email')

/**
 * Gives people a role in a space by their addresses: those who have an account join at once, others are
 * sent an invitation. A mail that can't be sent fails the request, and nobody joins. The guard is asked
 * before the mails are sent, and again with what is stored.
 */
export const inviteToSpace = defineWrite({
  summary: 'Invite people to a space by e-mail address',
  input: z.object({ spaceId: idSchema, emails: emailsSchema, role: z.enum(roles) }),
  output: invited,
  access: onInvitersSpace,
  needs: ['secrets', 'mail'],
  prepare: (context, input) =>
    mailInvitations(context, input, async (tx) => {
      await requireKnownUser(tx, context, context.actor)
      const { scope } = await onInvitersSpace.enter(tx, context.actor, input)
      return { ...scope, place: toInvitersSpace(scope) }
    }),
  run: (context, input) => invite({ ...context, place: toInvitersSpace(context) }, input),
})

/** As `inviteToSpace`, with a role in one base. */
export const inviteToBase = defineWrite({
  summary: 'Invite people to a base by e-mail address',
  input: z.object({ baseId: idSchema, emails: emailsSchema, role: z.enum(baseRoles) }),
  output: invited,
  access: onInvitersBase,
  needs: ['secrets', 'mail'],
  prepare: (context, input) =>
    mailInvitations(context, input, async (tx) => {
      await requireKnownUser(tx, context, context.actor)
      const { scope } = await onInvitersBase.enter(tx, context.actor, input)
      return { ...scope, place: toInvitersBase(scope) }
    }),
  run: (context, input) => invite({ ...context, place: toInvitersBase(context) }, input),
})
