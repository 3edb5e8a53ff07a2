import { z } from 'zod'
import { shownPicture } from '../../accounts/users/shown-picture.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { notYet } from '../../input/not-yet.ts'
import { limits } from '../../limits.ts'
import { listPageShape } from '../../records/pages/list-page-shape.ts'
import {
  findNamedPeople,
  type NamedPerson,
  pageOfPeople,
} from '../../records/query/find-named-people.ts'
import type { ReadTx } from '../../store.ts'
import { type CallContext, defineRead } from '../../use-case.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'
import { shownSchema } from '../../views/shown-schema.ts'
import { onSharedChoices, type ShareScope } from '../share-guard.ts'
import { shareId } from '../share-query.ts'

/**
 * Lists people by name, and never by address: those whom a form that is shared lets visitors choose; of another view
 * those whom cells name that are shown.
 */
export const listSharedCollaborators = defineRead({
  summary: 'List the people of a share',
  input: z.object({
    shareId,
    fieldId: idSchema.describe('The field that takes them, or shows them'),
    take: listPageShape.take.describe('How many people to answer at most'),
    skip: listPageShape.skip.describe('How many people are passed over before the first'),
    search: storableTextUpTo(limits.filterTextLength)
      .optional()
      .describe('What is looked for in their names; upper and lower case are the same'),
    type: notYet('that choice of people'),
  }),
  output: z.array(
    z.object({
      userId: z.string().describe('The id of the user'),
      userName: z.string().describe('The name of the user'),
      avatar: z.string().optional().describe('The address of a picture'),
    }),
  ),
  access: onSharedChoices(),
  run: async (context, { fieldId, ...asked }) => {
    const { tx, view } = context
    const people = await (view.type === 'form'
      ? findChoosable(context, fieldId)
      : findNamedPeople({ ...context, userId: '' }, fieldId))
    const page = pageOfPeople(people, asked)
    const profiles = await tx.users.profilesOf(page.map(({ id }) => id))
    return page.map(({ id, name }) => {
      const profile = profiles.get(id)
      return { userId: id, userName: name, ...(profile && shownPicture(context, profile)) }
    })
  },
})

type Visit = ShareScope & Pick<CallContext, 'now'> & { readonly tx: ReadTx }

/** The people of the base, for a field of a form that people fill in; `not_found` for others. */
async function findChoosable(
  { tx, base, table, view }: Visit,
  fieldId: string,
): Promise<readonly NamedPerson[]> {
  const form = shownSchema(await tx.fields.schemaOf(table), { view, includesHidden: false })
  const field = form.byKey.id.get(fieldId)
  if (!field?.rules.userIds || !field.isWritable) throw notFound('field of people', fieldId)
  return tx.users.listWithRoleIn(base.spaceId, base.id)
}
