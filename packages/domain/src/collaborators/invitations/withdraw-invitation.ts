import { z } from 'zod'
import type { RoleScope } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import type { WriteTx } from '../../store.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import { onHeldBase, onHeldSpace } from '../place-guard.ts'
import type { Invitation } from './invitation.ts'
import { type InvitersPlace, toInvitersBase, toInvitersSpace } from './inviters-place.ts'
import { requireWithdrawable, withdrawalActions, withRightTo } from './may-withdraw.ts'

type Context = CallContext & RoleScope & { readonly tx: WriteTx }

const invitationShape = { invitationId: idSchema }

/** Withdraws an open invitation to a space: its token is good for nothing from then on. */
export const withdrawSpaceInvitation = defineWrite({
  summary: 'Withdraw an invitation to a space',
  input: z.object({ spaceId: idSchema, ...invitationShape }),
  output: noOutput,
  access: withRightTo(
    withdrawalActions.space,
    onHeldSpace('space|invite_email'),
    'space|invite_email',
  ),
  run: (context, { invitationId }) => withdraw(context, toInvitersSpace(context), invitationId),
})

/** Withdraws an open invitation to a base: its token is good for nothing from then on. */
export const withdrawBaseInvitation = defineWrite({
  summary: 'Withdraw an invitation to a base',
  input: z.object({ baseId: idSchema, ...invitationShape }),
  output: noOutput,
  access: withRightTo(withdrawalActions.base, onHeldBase('base|invite_email'), 'base|invite_email'),
  run: (context, { invitationId }) => withdraw(context, toInvitersBase(context), invitationId),
})

/**
 * Everybody withdraws their own; those of others who may take the action, in weaker roles. An access token
 * needs the scope of the action either way.
 */
async function withdraw(
  context: Context,
  place: InvitersPlace,
  invitationId: string,
): Promise<void> {
  const { tx, now } = context
  const open = await tx.invitations.listOpen(place, now)
  const invitation = open.find(({ id }) => id === invitationId)
  if (!invitation) throw notFound('invitation', invitationId)
  requireWithdrawable(context, place, invitation)
  await forget(tx, invitation)
}

/** Accepted at the same time, it was there no more: one of the two happens. */
async function forget(tx: WriteTx, { id, tokenHash }: Invitation): Promise<void> {
  if (!(await tx.invitations.delete(tokenHash))) throw notFound('invitation', id)
}
