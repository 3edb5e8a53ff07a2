import { z } from 'zod'
import { isAtLeast, type Role, roles } from '../access/roles.ts'
import type { Ports } from '../ports.ts'
import type { Secrets } from '../secrets.ts'
import type { InvitationLink } from './invitation-link.ts'

/** A link as those see it who may invite so. */
export const invitationLinkOutput = z
  .object({
    invitationId: z.string().describe('The id of the link'),
    role: z.enum(roles).describe('The role that it gives'),
    inviteUrl: z
      .string()
      .optional()
      .describe(
        'What to pass on: it opens the front page, on which people sign up or in, and accept. A path where the service does not know its own address. Left out where the role is stronger than that of the caller',
      ),
    invitationCode: z
      .string()
      .optional()
      .describe('What accepting takes beside the id; left out where the URL is'),
    createdBy: z.string().describe('The id of the user who made it'),
    createdTime: z.string().describe('When it was made'),
    expiresTime: z.string().describe('Until when it can be accepted'),
    joined: z.number().describe('How many people have joined by it'),
  })
  .meta({ id: 'InvitationLink' })

/** Letters of a code: 160 bits. */
const codeLength = 40

/**
 * The code of a link in a role. It follows from the instance key, so that it is stored nowhere, and is another one for each
 * role: who came to know it when the link gave a weak role gets no stronger one by it.
 */
export function codeOf(
  secrets: Pick<Secrets, 'sign'>,
  { id, role }: Pick<InvitationLink, 'id' | 'role'>,
): string {
  return secrets.sign(JSON.stringify(['invitation link', id, role])).slice(0, codeLength)
}

/** The role that the link of the id gave when it had the code; undefined where it had another one in every role. */
export function findRoleOfCode(
  secrets: Pick<Secrets, 'sign' | 'equal'>,
  { id, code }: { readonly id: string; readonly code: string },
): Role | undefined {
  return roles.find((role) => secrets.equal(code, codeOf(secrets, { id, role })))
}

/**
 * What somebody with the role sees of a link. Whoever may not give its role doesn't see the code: they could come
 * back by it with a stronger one than their own. It stands behind the `#`, which browsers send to no server.
 */
export function toShownLink(
  { secrets, settings, role: own }: Pick<Ports, 'secrets' | 'settings'> & { readonly role: Role },
  link: InvitationLink,
) {
  const { id: invitationId, role, createdBy, createdTime, expiresTime, joined } = link
  const invitationCode = codeOf(secrets, link)
  const inviteUrl = `${settings.publicUrl ?? ''}/#invitation=${invitationId}.${invitationCode}`
  return {
    ...{ invitationId, role },
    ...(isAtLeast(own, role) && { inviteUrl, invitationCode }),
    ...{ createdBy, createdTime, expiresTime, joined },
  }
}
