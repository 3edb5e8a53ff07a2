import { z } from 'zod'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { notYet } from '../../input/not-yet.ts'
import { limits } from '../../limits.ts'
import { always, both, type Condition, never } from '../../queries/condition.ts'
import { canShow } from '../../queries/shown-text.ts'
import { listPageShape } from '../../records/pages/list-page-shape.ts'
import { findAskedQuery } from '../../records/query/find-asked-query.ts'
import { becomeLongIfMany } from '../../records/reading/become-long-if-many.ts'
import { readTitles, titledBy } from '../../records/reading/read-titles.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { type CallContext, defineRead } from '../../use-case.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'
import { foldCase } from '../../values/text.ts'
import { shownSchema } from '../../views/shown-schema.ts'
import { findOfferedLinks } from '../offered-links.ts'
import { onSharedChoices, type ShareScope } from '../share-guard.ts'
import { shareId } from '../share-query.ts'

type Visit = ShareScope & Pick<CallContext, 'now' | 'publicUrl'> & { readonly tx: ReadTx }

/**
 * Lists the records that a form which is shared lets visitors link to, of a table of the same base; of another view
 * those that are linked to in cells that are shown, of whatever base.
 */
export const listSharedLinkRecords = defineRead({
  summary: 'List the records that a share links to',
  input: z.object({
    shareId,
    fieldId: idSchema.describe('The link field'),
    take: listPageShape.take.describe('How many records to answer at most'),
    skip: listPageShape.skip,
    search: storableTextUpTo(limits.filterTextLength)
      .optional()
      .describe('What is looked for in their titles; upper and lower case are the same'),
    type: notYet('that choice of records'),
  }),
  output: z.array(
    z.object({
      id: z.string().describe('The id of the record'),
      title: z.string().optional().describe('What the link shows of it'),
    }),
  ),
  access: onSharedChoices(),
  isLong: ({ skip }) => skip > limits.recordsSkippedAtOnce,
  run: async (context, { fieldId, skip, take, search = '' }) => {
    const { tx, view } = context
    const isForm = view.type === 'form'
    const found = await (isForm ? findOffered(context, fieldId) : findLinked(context, fieldId))
    if (!found) throw notFound('link field', fieldId)
    const { schema, titleFieldId } = found
    const condition = both(found.condition, showsTitle(titledBy(schema, titleFieldId), search))
    await becomeLongIfMany(tx, schema, condition)
    const page = await tx.recordFinder.find(schema, { condition, keys: [] }, { skip, take })
    const ids = page.map(({ id }) => id)
    return [...(await readTitles(tx, schema, titleFieldId, ids))]
  },
})

/** Records of a linked table, and the field that they are called by; of the primary one where there is none. */
interface FoundLinks {
  readonly schema: TableSchema
  readonly condition: Condition
  readonly titleFieldId: string | undefined
}

/** Those that a form offers for a field that it shows. */
async function findOffered(visit: Visit, fieldId: string): Promise<FoundLinks | undefined> {
  const { tx, table, view } = visit
  const form = shownSchema(await tx.fields.schemaOf(table), { view, includesHidden: false })
  const field = form.byKey.id.get(fieldId)
  const offered = await findOfferedLinks(visit, field)
  return offered && { ...offered, titleFieldId: titleFieldIdOf(field) }
}

/**
 * Those that records which are shown link to, in a field that is shown. Of another base, too: nothing is told of it here
 * but the titles that stand in these cells.
 */
async function findLinked(visit: Visit, fieldId: string): Promise<FoundLinks | undefined> {
  const { tx } = visit
  const asked = await findAskedQuery({ ...visit, userId: '' }, { fieldKeyType: 'id' })
  const field = asked.shown.byKey.id.get(fieldId)
  const link = field?.link
  const foreign = link && (await new SchemaGraph(tx, 'none').find(link.foreignTableId))
  if (!foreign) return undefined
  await becomeLongIfMany(tx, asked.schema, asked.query.condition)
  const among = { schema: asked.schema, condition: asked.query.condition }
  const linked = { kind: 'linked', recordId: undefined, isLeftOut: false } as const
  return {
    schema: foreign.schema,
    condition: { ...linked, end: link.end, among },
    titleFieldId: titleFieldIdOf(field),
  }
}

function titleFieldIdOf(field: SchemaField | undefined): string | undefined {
  return field?.link?.capability.titleFieldId(field.field.options)
}

function showsTitle(titled: SchemaField, search: string): Condition {
  const text = foldCase(search)
  if (text === '') return always
  return canShow(titled.rules.form, text) ? { kind: 'shows', fields: [titled], text } : never
}
