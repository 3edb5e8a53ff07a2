import { z } from 'zod'
import { type Role, roles } from '../access/roles.ts'
import { emailSchema } from '../accounts/email.ts'
import { invalid } from '../errors.ts'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import { defineWrite } from '../use-case.ts'
import { baseRoles, requireGrantable } from './collaborator.ts'
import type { CollaboratorPlace } from './collaborator-repository.ts'
import { joinPlace, type PlaceContext } from './join-place.ts'
import { onHeldBase, onHeldSpace } from './place-guard.ts'

const emailsSchema = z.array(emailSchema).min(1).max(limits.collaboratorsPerRequest)

/** Who joined, by the address that was given. */
const joined = z.record(z.string(), z.object({ userId: z.string() }))

/** Gives people a role in a space by their addresses: those who have an account join at once. */
export const inviteToSpace = defineWrite({
  summary: 'Invite people to a space by e-mail address',
  input: z.object({ spaceId: idSchema, emails: emailsSchema, role: z.enum(roles) }),
  output: joined,
  access: onHeldSpace('space|invite_email'),
  run: (context, { emails, role }) => {
    requireGrantable(context.role, role)
    const place = { resourceType: 'space', resourceId: context.space.id } as const
    return invite(context, place, role, emails)
  },
})

/** Gives people a role in one base by their addresses: those who have an account join at once. */
export const inviteToBase = defineWrite({
  summary: 'Invite people to a base by e-mail address',
  input: z.object({ baseId: idSchema, emails: emailsSchema, role: z.enum(baseRoles) }),
  output: joined,
  access: onHeldBase('base|invite_email'),
  run: (context, { emails, role }) => {
    requireGrantable(context.role, role)
    const place = { resourceType: 'base', resourceId: context.base.id } as const
    return invite(context, place, role, emails)
  },
})

/** Invites all of them or none. */
async function invite(
  context: PlaceContext,
  place: CollaboratorPlace,
  role: Role,
  emails: readonly string[],
): Promise<z.output<typeof joined>> {
  const users = []
  for (const email of emails) users.push(await context.tx.users.findByEmail(email))
  const unknown = users.flatMap((user, index) => (user ? [] : [index]))
  if (unknown.length > 0) {
    const message =
      'has no account here, and invitations are not sent by mail: let them sign up first'
    throw invalid(unknown.map((index) => ({ path: ['emails', index], message })))
  }
  const ids = users.flatMap((user) => user?.id ?? [])
  await joinPlace(context, place, role, ids, (index) => ['emails', index])
  return Object.fromEntries(emails.map((email, index) => [email, { userId: ids[index] ?? '' }]))
}
