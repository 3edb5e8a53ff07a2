import { z } from 'zod'
import { shownContact } from '../../accounts/users/shown-contact.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'
import { listPageShape } from '../pages/list-page-shape.ts'
import { findNamedPeople, pageOfPeople } from '../query/find-named-people.ts'

/** Lists the people whom the cells of a field name, each once, by name. */
export const listNamedPeople = defineRead({
  summary: 'List the people in a field',
  input: z.object({
    tableId: idSchema,
    fieldId: idSchema.describe('The field whose cells name them'),
    take: listPageShape.take.describe('How many people to answer at most'),
    skip: listPageShape.skip.describe('How many people are passed over before the first'),
    search: storableTextUpTo(limits.filterTextLength)
      .optional()
      .describe('What is looked for in their names; upper and lower case are the same'),
  }),
  output: z.array(
    z.object({
      userId: z.string().describe('The id of the user'),
      userName: z.string().describe('The name of the user'),
      email: z
        .string()
        .optional()
        .describe(
          'Their e-mail address, if they have one; left out for access tokens without the scope `user|email_read`',
        ),
      avatar: z.string().optional().describe('The address of a picture'),
    }),
  ),
  access: onTable('record|read'),
  run: async (context, { fieldId, ...asked }) => {
    const { tx } = context
    const page = pageOfPeople(await findNamedPeople(context, fieldId), asked)
    const profiles = await tx.users.profilesOf(page.map(({ id }) => id))
    return page.map(({ id, name }) => ({
      ...{ userId: id, userName: name },
      ...shownContact(context, profiles.get(id)),
    }))
  },
})
