import { z } from 'zod'
import { type Role, roles } from '../../access/roles.ts'
import { baseRoles, requireGrantable } from '../../collaborators/collaborator.ts'
import { findOffer, mayOffer } from '../../collaborators/invitations/find-offer.ts'
import {
  type InvitersPlace,
  toInvitersBase,
  toInvitersSpace,
} from '../../collaborators/invitations/inviters-place.ts'
import { withdrawalActions, withRightTo } from '../../collaborators/invitations/may-withdraw.ts'
import { onHeldBase, onHeldSpace } from '../../collaborators/place-guard.ts'
import { DomainError } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import type { Ports } from '../../ports.ts'
import { defineWrite } from '../../use-case.ts'
import { findLink, type LinkContext } from '../find-link.ts'
import { invitationLinkOutput, toShownLink } from '../shown-link.ts'

/** Gives an invitation link to a space another role, and with it another code. Who has joined keeps their role. */
export const changeSpaceLink = defineWrite({
  summary: 'Change the role of an invitation link to a space',
  input: z.object({ spaceId: idSchema, invitationId: idSchema, role: z.enum(roles) }),
  output: invitationLinkOutput,
  access: withRightTo(
    withdrawalActions.space,
    onHeldSpace('space|invite_link'),
    'space|invite_link',
  ),
  needs: ['secrets', 'settings'],
  run: (context, input) => changeLink(context, toInvitersSpace(context), input),
})

/** Gives an invitation link to a base another role, and with it another code. Who has joined keeps their role. */
export const changeBaseLink = defineWrite({
  summary: 'Change the role of an invitation link to a base',
  input: z.object({ baseId: idSchema, invitationId: idSchema, role: z.enum(baseRoles) }),
  output: invitationLinkOutput,
  access: withRightTo(withdrawalActions.base, onHeldBase('base|invite_link'), 'base|invite_link'),
  needs: ['secrets', 'settings'],
  run: (context, input) => changeLink(context, toInvitersBase(context), input),
})

async function changeLink(
  context: LinkContext & Pick<Ports, 'secrets' | 'settings'>,
  place: InvitersPlace,
  { invitationId, role }: { readonly invitationId: string; readonly role: Role },
) {
  const link = await findLink(context, place, invitationId)
  requireGrantable(context.role, role)
  const offer = await findOffer(context.tx, link)
  if (!mayOffer(offer?.role, { ...link, role }, 'invite_link')) {
    const message = `Who made this link may not give the role "${role}" by one: make one of your own`
    throw new DomainError('restricted_resource', message)
  }
  await context.tx.invitationLinks.changeRole(invitationId, role)
  return toShownLink(context, { ...link, role })
}
