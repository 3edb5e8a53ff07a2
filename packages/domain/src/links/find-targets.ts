import { mayReadBase, type Reader } from '../bases/may-read-base.ts'
import { type LinkTargets, titleOfCell } from '../fields/cell.ts'
import type { Field } from '../fields/field.ts'
import { linkCapabilityOf } from '../fields/link-of.ts'
import { limits } from '../limits.ts'
import type { RecordInput } from '../records/input/record-input.ts'
import { findPeople, noteUsers } from '../records/reading/find-people.ts'
import { collectRecords, scanRecords } from '../records/reading/scan-records.ts'
import { cellOf } from '../records/stored/cell-of.ts'
import type { LoadedTable, SchemaGraph } from '../schemas/schema-graph.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'

/** The records that rows may name in link fields, by field. */
export type RowTargets = ReadonlyMap<SchemaField, { readonly targets: LinkTargets }>

/** Looks records up by what was sent for link fields: ids, or titles. Once per field, whatever the rows. */
export async function findRowTargets(
  reader: Reader,
  graph: SchemaGraph,
  schema: TableSchema,
  sent: readonly RecordInput[],
  fieldKeyType: FieldKeyType,
): Promise<RowTargets> {
  const found = new Map<SchemaField, { targets: LinkTargets }>()
  for (const schemaField of schema.columns) {
    const { link, field } = schemaField
    if (!link) continue
    const key = field[fieldKeyType]
    const texts = new Set(
      sent.flatMap(({ fields }) =>
        Object.hasOwn(fields, key) ? link.capability.texts(fields[key]) : [],
      ),
    )
    if (texts.size === 0) continue
    const { baseId } = schema
    const targets = await findTargets(reader, graph, { field, baseId }, [...texts])
    if (targets) found.set(schemaField, { targets })
  }
  return found
}

/**
 * The records of the table that a link field leads to whose id or title is one of the texts; undefined
 * when the caller may not read them.
 */
export async function findTargets(
  reader: Reader,
  graph: SchemaGraph,
  { field, baseId }: { readonly field: Field; readonly baseId: string },
  texts: readonly string[],
): Promise<LinkTargets | undefined> {
  const capability = linkCapabilityOf(field)
  const foreign =
    capability && (await graph.find(capability.targetOf(field.options).foreignTableId))
  if (!foreign) return undefined
  const isElsewhere = foreign.table.baseId !== baseId
  if (isElsewhere && !(await mayReadBase(reader, foreign.table.baseId))) return undefined
  const { tx } = reader
  const ids = new Set(
    (await collectRecords(tx, foreign.schema, texts, 'none', { columns: [] })).keys(),
  )
  const titled = foreign.schema.byKey.id.get(capability.titleFieldId(field.options) ?? '')
  const titles = texts.filter((text) => !ids.has(text))
  const idByTitle = titled ? await findTitles(tx, foreign, titled, titles) : new Map()
  return { has: (id) => ids.has(id), find: (title) => idByTitle.get(title) }
}

async function findTitles(
  tx: ReadTx,
  { schema }: LoadedTable,
  titled: SchemaField,
  titles: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { column } = titled
  if (titles.length === 0) return new Map()
  // The text form of a cell of text is the cell.
  if (column?.type === 'TEXT') {
    const found = await tx.records.findByText(schema, column, titles)
    return new Map(found.map(({ value, recordId }) => [value, recordId]))
  }
  const wanted = new Set(titles)
  const found = new Map<string, string>()
  let seen = 0
  const scan = { take: limits.recordsPerPage, columns: column ? [column] : [] }
  for await (const { records } of scanRecords(tx, schema, scan)) {
    const userIds = new Set<string>()
    noteUsers(titled, records, userIds)
    const people = await findPeople(tx, userIds)
    for (const record of records) {
      const cell = cellOf(titled, record)
      const title = cell === null ? '' : titleOfCell(titled.rules, cell, people)
      if (wanted.has(title) && !found.has(title)) found.set(title, record.id)
    }
    seen += records.length
    if (seen >= limits.titlesSearched || found.size === wanted.size) break
  }
  return found
}
