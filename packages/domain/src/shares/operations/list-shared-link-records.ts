import { z } from 'zod'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { notYet } from '../../not-yet.ts'
import { listPageShape } from '../../records/list-page-shape.ts'
import { becomeLongIfMany } from '../../records/query/become-long-if-many.ts'
import { readTitles } from '../../records/read-titles.ts'
import { defineRead } from '../../use-case.ts'
import { shownSchema } from '../../views/shown-schema.ts'
import { findOfferedLinks } from '../offered-links.ts'
import { onSharedForm } from '../share-guard.ts'
import { shareId } from '../share-query.ts'

/** Lists the records that a form which is shared lets visitors link to: of a table of the same base. */
export const listSharedLinkRecords = defineRead({
  summary: 'List the records that a shared form links to',
  input: z.object({
    shareId,
    fieldId: idSchema.describe('The link field of the form'),
    take: listPageShape.take.describe('How many records to answer at most'),
    skip: listPageShape.skip,
    search: notYet('searching records'),
    type: notYet('that choice of records'),
  }),
  output: z.array(
    z.object({
      id: z.string().describe('The id of the record'),
      title: z.string().optional().describe('What the link shows of it'),
    }),
  ),
  access: onSharedForm(),
  isLong: ({ skip }) => skip > limits.recordsSkippedAtOnce,
  run: async (context, { fieldId, skip, take }) => {
    const { tx, table, view } = context
    const form = shownSchema(await tx.fields.schemaOf(table), { view, includesHidden: false })
    const field = form.byKey.id.get(fieldId)
    const offered = await findOfferedLinks(context, field)
    if (!offered) throw notFound('link field', fieldId)
    const { schema, condition } = offered
    await becomeLongIfMany(tx, schema, condition)
    const query = { condition, keys: [] }
    const found = await tx.recordFinder.find(schema, query, { after: undefined, skip, take })
    const titleFieldId = field?.link?.ability.titleFieldId(field.field.options)
    return [
      ...(await readTitles(
        tx,
        schema,
        titleFieldId,
        found.map(({ id }) => id),
      )),
    ]
  },
})
