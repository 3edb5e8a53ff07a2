import { z } from 'zod'
import { isAtLeast, type Role, roles } from '../../access/roles.ts'
import { baseRoles, requireGrantable } from '../../collaborators/collaborator.ts'
import { findOffer } from '../../collaborators/find-offer.ts'
import {
  type InvitersPlace,
  toInvitersBase,
  toInvitersSpace,
} from '../../collaborators/inviters-place.ts'
import { withdrawalActions, withRightTo } from '../../collaborators/may-withdraw.ts'
import { onHeldBase, onHeldSpace } from '../../collaborators/place-guard.ts'
import { DomainError } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { findLink, type LinkContext } from '../find-link.ts'

const changed = z.object({
  invitationId: z.string().describe('The id of the link'),
  role: z.enum(roles).describe('The role that it gives from now on'),
})

/** Gives an invitation link to a space another role. Who has joined keeps theirs. */
export const changeSpaceLink = defineWrite({
  summary: 'Change the role of an invitation link to a space',
  input: z.object({ spaceId: idSchema, invitationId: idSchema, role: z.enum(roles) }),
  output: changed,
  access: withRightTo(
    withdrawalActions.space,
    onHeldSpace('space|invite_link'),
    'space|invite_link',
  ),
  run: (context, input) => changeLink(context, toInvitersSpace(context), input),
})

/** The same in one base. */
export const changeBaseLink = defineWrite({
  summary: 'Change the role of an invitation link to a base',
  input: z.object({ baseId: idSchema, invitationId: idSchema, role: z.enum(baseRoles) }),
  output: changed,
  access: withRightTo(withdrawalActions.base, onHeldBase('base|invite_link'), 'base|invite_link'),
  run: (context, input) => changeLink(context, toInvitersBase(context), input),
})

async function changeLink(
  context: LinkContext,
  place: InvitersPlace,
  { invitationId, role }: { readonly invitationId: string; readonly role: Role },
) {
  const link = await findLink(context, place, invitationId)
  requireGrantable(context.role, role)
  const offer = await findOffer(context.tx, link)
  if (offer?.role === undefined || !isAtLeast(offer.role, role)) {
    const message = `Who made this link may not give the role "${role}": make one of your own`
    throw new DomainError('restricted_resource', message)
  }
  await context.tx.invitationLinks.changeRole(invitationId, role)
  return { invitationId, role }
}
