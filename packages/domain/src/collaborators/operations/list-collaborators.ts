import { z } from 'zod'
import { hasScope } from '../../access/actor.ts'
import { roles } from '../../access/roles.ts'
import { shownContact, type Viewer } from '../../accounts/users/shown-contact.ts'
import { shownUser } from '../../accounts/users/shown-user.ts'
import type { Base } from '../../bases/base.ts'
import { onBase } from '../../bases/base-guard.ts'
import { idSchema } from '../../ids.ts'
import { notYet, notYetOn } from '../../input/not-yet.ts'
import { limits } from '../../limits.ts'
import { onSpace } from '../../spaces/space-guard.ts'
import type { ReadTx } from '../../store.ts'
import { defineRead } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { foldCase } from '../../values/text.ts'
import type { CollaboratorWithUser } from '../collaborator-repository.ts'

const pageSchema = z.object({
  skip: z
    .number()
    .int()
    .min(0)
    .max(limits.collaboratorsPerPage)
    .optional()
    .describe('How many collaborators are passed over before the first that is answered'),
  take: z
    .number()
    .int()
    .min(1)
    .max(limits.collaboratorsPerPage)
    .optional()
    .describe('How many collaborators to answer at most'),
  /** Part of a name or an e-mail address. */
  search: textUpTo(limits.shortTextLength)
    .optional()
    .describe('Part of a name or an e-mail address'),
  /** Whether the service's own users are listed; they are never collaborators. */
  includeSystem: z
    .boolean()
    .optional()
    .describe(
      'Whether users of the service itself are listed, too; they are never collaborators, so it changes nothing',
    ),
  /** Of which kind; there are users alone. */
  type: z.literal('user').optional().describe('Which kind of collaborators: there are users alone'),
})

const spacePageSchema = pageSchema.extend({
  includeBase: notYetOn('listing the collaborators of the bases of a space'),
  orderBy: notYet('another order of collaborators'),
})

const basePageSchema = pageSchema.extend({
  /** Lists those alone whose role is one of these. */
  role: z
    .union([z.enum(roles), z.array(z.enum(roles)).max(roles.length)])
    .optional()
    .describe('Those alone whose role is one of these'),
})

const collaboratorOutput = z
  .object({
    userId: z.string().describe('The id of the user'),
    userName: z.string().describe('What the user is called'),
    email: z
      .string()
      .optional()
      .describe(
        'The e-mail address; left out for access tokens without the scope `user|email_read`',
      ),
    avatar: z.string().optional().describe('The address of a picture'),
    role: z.enum(roles).describe('The role of the user there'),
    createdTime: z.string().describe('When the user got a role there'),
    resourceType: z
      .enum(['space', 'base'])
      .describe('Whether the role is of the base itself or of its space'),
  })
  .meta({ id: 'Collaborator' })

const collaboratorPage = z.object({
  collaborators: z.array(collaboratorOutput),
  /** How many there are that match the search. */
  total: z.number(),
})

const spaceCollaboratorPage = collaboratorPage.extend({
  /** How many people that are: as many, since each is there once. */
  uniqTotal: z.number(),
})

/** Lists who has a role in a space. */
export const listSpaceCollaborators = defineRead({
  summary: 'List the collaborators of a space',
  input: z.object({ spaceId: idSchema, ...spacePageSchema.shape }),
  output: spaceCollaboratorPage,
  access: onSpace('space|read'),
  run: async (context, page) => {
    const { tx, space } = context
    const found = await tx.collaborators.list([{ resourceType: 'space', resourceId: space.id }])
    const { collaborators, total } = toPage(found, context, page)
    return { collaborators, uniqTotal: total, total }
  },
})

/** Lists who has a role in a base, of its own or by way of the space. */
export const listBaseCollaborators = defineRead({
  summary: 'List the collaborators of a base',
  input: z.object({ baseId: idSchema, ...basePageSchema.shape }),
  output: collaboratorPage,
  access: onBase('base|read'),
  run: async (context, page) => {
    const wanted = [page.role ?? roles].flat()
    const shown = (await listOfBase(context)).filter(({ role }) => wanted.includes(role))
    return toPage(shown, context, page)
  },
})

/** Lists the people of a base as they are chosen from: for cells of users and mentions. */
export const listBaseUsers = defineRead({
  summary: 'List the users of a base',
  input: z.object({
    baseId: idSchema,
    ...pageSchema.omit({ type: true }).shape,
    orderBy: notYet('another order of users'),
  }),
  output: z.object({ users: z.array(shownUser), total: z.number() }),
  access: onBase('base|read'),
  run: async (context, page) => {
    const { collaborators, total } = toPage(await listOfBase(context), context, page)
    const users = collaborators.map(({ userId, userName, email, avatar }) => ({
      id: userId,
      name: userName,
      ...(email !== undefined && { email }),
      ...(avatar !== undefined && { avatar }),
    }))
    return { users, total }
  },
})

async function listOfBase({
  tx,
  base: { id, spaceId },
}: {
  readonly tx: ReadTx
  readonly base: Base
}): Promise<readonly CollaboratorWithUser[]> {
  const found = await tx.collaborators.list([
    { resourceType: 'space', resourceId: spaceId },
    { resourceType: 'base', resourceId: id },
  ])
  return eachOnce(found)
}

/** Those of a base, each once: who has a role by the space too is shown as of the space. */
function eachOnce(found: readonly CollaboratorWithUser[]): readonly CollaboratorWithUser[] {
  const bySpace = new Set(
    found.flatMap(({ resourceType, userId }) => (resourceType === 'space' ? [userId] : [])),
  )
  return found.filter(
    ({ resourceType, userId }) => resourceType === 'space' || !bySpace.has(userId),
  )
}

/** Searches and cuts here: the lists are bounded, and text then compares alike on every storage. */
function toPage(
  found: readonly CollaboratorWithUser[],
  viewer: Viewer,
  { skip = 0, take = limits.collaboratorsPerPageDefault, search = '' }: z.output<typeof pageSchema>,
): z.output<typeof collaboratorPage> {
  const showsEmail = hasScope(viewer.actor, 'user|email_read')
  const wanted = foldCase(search.trim())
  const matching = found.filter(({ userName, email }) =>
    [userName, ...(showsEmail ? [email] : [])].some((text) => foldCase(text).includes(wanted)),
  )
  const collaborators = matching.slice(skip, skip + take).map((collaborator) => ({
    userId: collaborator.userId,
    userName: collaborator.userName,
    ...shownContact(viewer, collaborator),
    role: collaborator.role,
    createdTime: collaborator.createdTime,
    resourceType: collaborator.resourceType,
  }))
  return { collaborators, total: matching.length }
}
