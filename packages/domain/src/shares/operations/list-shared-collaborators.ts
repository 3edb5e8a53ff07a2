import { z } from 'zod'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { notYet } from '../../not-yet.ts'
import { listPageShape } from '../../records/list-page-shape.ts'
import { defineRead } from '../../use-case.ts'
import { shownSchema } from '../../views/shown-schema.ts'
import { onSharedForm } from '../share-guard.ts'
import { shareId } from '../share-query.ts'

/** Lists whom a form that is shared lets visitors choose: by name, and never by address. */
export const listSharedCollaborators = defineRead({
  summary: 'List the people of a shared form',
  input: z.object({
    shareId,
    fieldId: idSchema.describe('The field of the form that takes them'),
    take: listPageShape.take.describe('How many people to answer at most'),
    skip: listPageShape.skip.describe('How many people are passed over before the first'),
    search: notYet('searching people of a share'),
    type: notYet('that choice of people'),
  }),
  output: z.array(
    z.object({
      userId: z.string().describe('The id of the user'),
      userName: z.string().describe('The name of the user'),
      avatar: z.string().optional().describe('The address of a picture'),
    }),
  ),
  access: onSharedForm(),
  run: async ({ tx, base, table, view }, { fieldId, skip, take }) => {
    const form = shownSchema(await tx.fields.schemaOf(table), { view, includesHidden: false })
    const field = form.byKey.id.get(fieldId)
    if (!field?.rules.userIds || !field.isWritable) throw notFound('field of people', fieldId)
    const people = await tx.users.listWithRoleIn(base.spaceId, base.id)
    const page = people.slice(skip, skip + take)
    const profiles = await tx.users.profilesOf(page.map(({ id }) => id))
    return page.map(({ id, name }) => {
      const avatar = profiles.get(id)?.avatar
      return { userId: id, userName: name, ...(avatar !== undefined && { avatar }) }
    })
  },
})
