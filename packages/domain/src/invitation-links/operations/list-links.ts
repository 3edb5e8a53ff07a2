import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { idSchema } from '../../ids.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import { defineRead } from '../../use-case.ts'
import { invitationLinkOutput, toShownLink } from '../shown-link.ts'

/** Lists the open invitation links to a space, at most `limits.invitationLinksPerResource`. */
export const listSpaceLinks = defineRead({
  summary: 'List the invitation links to a space',
  input: z.object({ spaceId: idSchema }),
  output: z.array(invitationLinkOutput),
  access: onSpace('space|invite_link'),
  needs: ['secrets', 'settings'],
  run: async (context) => {
    const place = { resourceType: 'space', resourceId: context.space.id } as const
    const links = await context.tx.invitationLinks.listOpen(place, context.now)
    return links.map((link) => toShownLink(context, link))
  },
})

/** The same of a base. */
export const listBaseLinks = defineRead({
  summary: 'List the invitation links to a base',
  input: z.object({ baseId: idSchema }),
  output: z.array(invitationLinkOutput),
  access: onBase('base|invite_link'),
  needs: ['secrets', 'settings'],
  run: async (context) => {
    const place = { resourceType: 'base', resourceId: context.base.id } as const
    const links = await context.tx.invitationLinks.listOpen(place, context.now)
    return links.map((link) => toShownLink(context, link))
  },
})
