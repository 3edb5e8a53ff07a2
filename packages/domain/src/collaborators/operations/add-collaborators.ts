import { z } from 'zod'
import { type Role, roles } from '../../access/roles.ts'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { baseRoles, requireGrantable } from '../collaborator.ts'
import type { CollaboratorPlace } from '../collaborator-repository.ts'
import { joinPlace, type PlaceContext } from '../join-place.ts'
import { onHeldBase, onHeldSpace } from '../place-guard.ts'
import { type Principal, principalSchema } from '../principal.ts'

const principalsSchema = z.array(principalSchema).min(1).max(limits.collaboratorsPerRequest)

/** Gives existing users a role in a space. */
export const addSpaceCollaborators = defineWrite({
  summary: 'Add existing users to a space',
  input: z.object({ spaceId: idSchema, collaborators: principalsSchema, role: z.enum(roles) }),
  output: noOutput,
  access: onHeldSpace('space|invite_email'),
  run: (context, { collaborators, role }) => {
    requireGrantable(context.role, role)
    const place = { resourceType: 'space', resourceId: context.space.id } as const
    return addCollaborators(context, place, role, collaborators)
  },
})

/** Gives existing users a role in one base. */
export const addBaseCollaborators = defineWrite({
  summary: 'Add existing users to a base',
  input: z.object({ baseId: idSchema, collaborators: principalsSchema, role: z.enum(baseRoles) }),
  output: noOutput,
  access: onHeldBase('base|invite_email'),
  run: (context, { collaborators, role }) => {
    requireGrantable(context.role, role)
    const place = { resourceType: 'base', resourceId: context.base.id } as const
    return addCollaborators(context, place, role, collaborators)
  },
})

/** Adds all of them or none. */
async function addCollaborators(
  context: PlaceContext,
  place: CollaboratorPlace,
  role: Role,
  principals: readonly Principal[],
): Promise<void> {
  const ids = principals.map(({ principalId }) => principalId)
  await joinPlace(context, place, role, ids, (index) => ['collaborators', index, 'principalId'])
}
