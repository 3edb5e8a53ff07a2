import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import {
  type InvitersPlace,
  toInvitersBase,
  toInvitersSpace,
} from '../../collaborators/invitations/inviters-place.ts'
import { idSchema } from '../../ids.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import type { ReadTx } from '../../store.ts'
import { type CallContext, defineRead } from '../../use-case.ts'
import { invitationLinkOutput, toShownLink } from '../shown-link.ts'

/** Lists the open invitation links to a space, at most `limits.invitationLinksPerResource`. */
export const listSpaceLinks = defineRead({
  summary: 'List the invitation links to a space',
  input: z.object({ spaceId: idSchema }),
  output: z.array(invitationLinkOutput),
  access: onSpace('space|invite_link'),
  needs: ['secrets', 'settings'],
  run: (context) => listLinks(context, toInvitersSpace(context)),
})

/** Lists the open invitation links to a base, at most `limits.invitationLinksPerResource`. */
export const listBaseLinks = defineRead({
  summary: 'List the invitation links to a base',
  input: z.object({ baseId: idSchema }),
  output: z.array(invitationLinkOutput),
  access: onBase('base|invite_link'),
  needs: ['secrets', 'settings'],
  run: (context) => listLinks(context, toInvitersBase(context)),
})

type LinksContext = Parameters<typeof toShownLink>[0] &
  Pick<CallContext, 'now'> & { readonly tx: ReadTx }

async function listLinks(context: LinksContext, place: InvitersPlace) {
  const links = await context.tx.invitationLinks.listOpen(place, context.now)
  return links.map((link) => toShownLink(context, link))
}
