import { z } from 'zod'
import { type Role, roles } from '../../access/roles.ts'
import { expiredTimeSchema } from '../../access-tokens/token-input.ts'
import { later, type Timestamp } from '../../clock.ts'
import { baseRoles, requireGrantable } from '../../collaborators/collaborator.ts'
import type { CollaboratorPlace } from '../../collaborators/collaborator-repository.ts'
import { toInvitersBase, toInvitersSpace } from '../../collaborators/invitations/inviters-place.ts'
import { onHeldBase, onHeldSpace } from '../../collaborators/place-guard.ts'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import { dayMs } from '../../values/dates/time-zone.ts'
import { invitationLinkOutput, toShownLink } from '../shown-link.ts'

type Context = CallContext &
  Pick<Ports, 'secrets' | 'settings'> & {
    readonly tx: WriteTx
    readonly userId: string
    readonly role: Role
  }

const expiryShape = {
  expiresTime: expiredTimeSchema
    .optional()
    .describe(
      `Until when it can be accepted: ${limits.invitationLinkDays} days from now when it is left out, ${limits.invitationLinkDaysMost} at most`,
    ),
}

/** Makes a link by which whoever has it takes a role in a space. */
export const createSpaceLink = defineWrite({
  summary: 'Make an invitation link to a space',
  input: z.object({ spaceId: idSchema, role: z.enum(roles), ...expiryShape }),
  output: invitationLinkOutput,
  access: onHeldSpace('space|invite_link'),
  needs: ['secrets', 'settings'],
  run: (context, input) => createLink(context, toInvitersSpace(context), input),
})

/** Makes a link by which whoever has it takes a role in a base. */
export const createBaseLink = defineWrite({
  summary: 'Make an invitation link to a base',
  input: z.object({ baseId: idSchema, role: z.enum(baseRoles), ...expiryShape }),
  output: invitationLinkOutput,
  access: onHeldBase('base|invite_link'),
  needs: ['secrets', 'settings'],
  run: (context, input) => createLink(context, toInvitersBase(context), input),
})

async function createLink(
  context: Context,
  { resourceType, resourceId }: CollaboratorPlace,
  { role, expiresTime }: { readonly role: Role; readonly expiresTime?: Timestamp | undefined },
) {
  const { tx, now, ids, userId: createdBy } = context
  requireGrantable(context.role, role)
  const place = { resourceType, resourceId }
  const most = limits.invitationLinksPerResource
  if ((await tx.invitationLinks.listOpen(place, now)).length >= most) {
    const message = `there are ${most} invitation links to a ${resourceType} at most: revoke one, or wait until one has expired`
    throw invalidAt([`${resourceType}Id`], message)
  }
  const link = {
    ...place,
    id: ids.next('invitationLink'),
    ...{ role, createdBy, createdTime: now, expiresTime: toEnd(now, expiresTime), joined: 0 },
  }
  await tx.invitationLinks.insert(link)
  return toShownLink(context, link)
}

function toEnd(now: Timestamp, given: Timestamp | undefined): Timestamp {
  if (given === undefined) return later(now, limits.invitationLinkDays * dayMs)
  if (given <= now) throw invalidAt(['expiresTime'], 'must be in the future')
  if (given <= later(now, limits.invitationLinkDaysMost * dayMs)) return given
  throw invalidAt(['expiresTime'], `must be within ${limits.invitationLinkDaysMost} days from now`)
}
