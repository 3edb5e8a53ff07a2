import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import {
  type InvitersPlace,
  toInvitersBase,
  toInvitersSpace,
} from '../../collaborators/invitations/inviters-place.ts'
import { withdrawalActions, withRightTo } from '../../collaborators/invitations/may-withdraw.ts'
import { onHeldBase, onHeldSpace } from '../../collaborators/place-guard.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { findLink, type LinkContext } from '../find-link.ts'

/** Revokes an invitation link to a space: nobody joins by it from then on. */
export const revokeSpaceLink = defineWrite({
  summary: 'Revoke an invitation link to a space',
  input: z.object({ spaceId: idSchema, invitationId: idSchema }),
  output: noOutput,
  access: withRightTo(
    withdrawalActions.space,
    onHeldSpace('space|invite_link'),
    'space|invite_link',
  ),
  run: (context, { invitationId }) => revoke(context, toInvitersSpace(context), invitationId),
})

/** Revokes an invitation link to a base: nobody joins by it from then on. */
export const revokeBaseLink = defineWrite({
  summary: 'Revoke an invitation link to a base',
  input: z.object({ baseId: idSchema, invitationId: idSchema }),
  output: noOutput,
  access: withRightTo(withdrawalActions.base, onHeldBase('base|invite_link'), 'base|invite_link'),
  run: (context, { invitationId }) => revoke(context, toInvitersBase(context), invitationId),
})

async function revoke(context: LinkContext, place: InvitersPlace, id: string): Promise<void> {
  await context.tx.invitationLinks.delete((await findLink(context, place, id)).id)
}
