import { notedFields } from '../../../history/to-cell-change.ts'
import { withLinks } from '../../../links/linked-cells.ts'
import { pairsInParts } from '../../../links/pairs-in-parts.ts'
import { hasManyRecords } from '../../../records/reading/has-many-records.ts'
import { scanRecords } from '../../../records/reading/scan-records.ts'
import { filledCells } from '../../../records/stored/filled-cells.ts'
import { toChoiceIds } from '../../../schemas/choice-names.ts'
import { filterByChoiceIds } from '../../../schemas/filter-by-choice-ids.ts'
import { type LoadedTable, SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import type { WriteTx } from '../../../store.ts'
import { ContentDigest } from '../../../undo/content-digest.ts'
import type { Field } from '../../field.ts'
import type { LinkEnd } from '../../link-end.ts'
import { filterOf, foreignTableIdOf, symmetricOf, withFilter } from '../../link-of.ts'

/** The fields of a table that are digested. */
export interface DigestedFields {
  readonly tableId: string
  readonly fieldIds: readonly string[]
  /** Whether they are known to hold nothing, so that no record has to be looked at. */
  readonly areEmpty?: boolean
  /** Whether it counts, too, in which order links stand at their other ends. */
  readonly withOtherEnds?: boolean
}

/**
 * A digest of what people made of those of the fields that there are: what they are, with the other ends of links, and
 * all that callers have written into their cells; whatever choices are called by now. Many records make the transaction a long one.
 */
export async function digestFields(
  tx: WriteTx,
  { tableId, fieldIds, areEmpty = false, withOtherEnds = false }: DigestedFields,
): Promise<string> {
  const graph = new SchemaGraph(tx, 'share')
  const { schema } = await graph.get(tableId)
  const digest = new ContentDigest()
  for (const id of fieldIds.toSorted()) {
    const field = schema.byKey.id.get(id)?.field
    if (!field) continue
    digest.add(definitionOf(await withFilterByIds(tx, field)))
    const end = symmetricOf(field)
    const symmetric = end && (await graph.findField(end.tableId, end.fieldId))
    if (!symmetric) continue
    digest.add(definitionOf(await withFilterByIds(tx, symmetric.field)))
    const { link } = symmetric
    if (withOtherEnds && link) await addLinks(tx, await graph.get(end.tableId), link.end, digest)
  }
  if (!areEmpty) await addCells(tx, schema, new Set(fieldIds), digest)
  return digest.end()
}

/** The field, with the ids of choices in the place of their names in the filter that it keeps. */
async function withFilterByIds(tx: WriteTx, field: Field): Promise<Field> {
  const filter = filterOf(field)
  const foreignTableId = filter && foreignTableIdOf(field)
  if (!foreignTableId) return field
  return withFilter(field, await filterByChoiceIds(tx, foreignTableId, filter))
}

async function addCells(
  tx: WriteTx,
  schema: TableSchema,
  fieldIds: ReadonlySet<string>,
  digest: ContentDigest,
): Promise<void> {
  const fields = notedFields(schema).filter(({ field }) => fieldIds.has(field.id))
  if (fields.length === 0) return
  if (await hasManyRecords(tx, schema)) tx.becomeLong()
  const columns = fields.map(({ column }) => column)
  const byIds = toChoiceIds(schema)
  for await (const { records } of scanRecords(tx, schema, { columns })) {
    for (const record of await withLinks(tx, fields, records)) {
      const cells = filledCells(fields, record).map(([id, cell]) => [id, byIds(id, cell)])
      if (cells.length > 0) digest.add([record.id, cells])
    }
    await tx.giveWay()
  }
}

/** Pairs, not cells: these may be computed later. */
async function addLinks(
  tx: WriteTx,
  { schema }: LoadedTable,
  end: LinkEnd,
  digest: ContentDigest,
): Promise<void> {
  if (await hasManyRecords(tx, schema)) tx.becomeLong()
  for await (const { records } of scanRecords(tx, schema, { columns: [] })) {
    const ids = records.map(({ id }) => id)
    for await (const pairs of pairsInParts(tx, end, ids)) {
      for (const { recordId, foreignId } of pairs) digest.add([recordId, foreignId])
    }
    await tx.giveWay()
  }
}

/** What people made of a field; choices are left out, as writing cells adds some. */
function definitionOf(field: Field): readonly unknown[] {
  const { id, name, type, description, unique, notNull, aiConfig } = field
  const { isLookup, lookupOptions, dbFieldName, order } = field
  const { choices: _, ...options } = field.options as { readonly choices?: unknown }
  const named = [id, name, dbFieldName, description, order]
  return [...named, type, options, unique, notNull, aiConfig, isLookup, lookupOptions]
}
