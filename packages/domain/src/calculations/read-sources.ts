import type { LinkedCell } from '../fields/derivation/computation.ts'
import { limits } from '../limits.ts'
import { cellOf } from '../records/cell-of.ts'
import { findRecords } from '../records/scan-records.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import type { SchemaGraph } from '../schemas/schema-graph.ts'
import type { Column, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'

/** What a field reads through a link: the field of the linked table, and the records there. */
export interface Source {
  readonly link: SchemaField
  readonly field: SchemaField
  readonly records: ReadonlyMap<string, StoredRecord>
}

/** By field. */
export type Sources = ReadonlyMap<string, Source>

/** A record as far as sources need it: its cells hold what it is linked to. */
type LinkingRow = Pick<StoredRecord, 'cells'>

interface Reader {
  readonly tx: ReadTx
  readonly graph: SchemaGraph
  /** Characters, roughly, that several rows may read at once. */
  readonly sourceLength?: number
}

interface ReadSources {
  readonly sources: Sources
  /** Characters, roughly, of what was read. */
  readonly size: number
}

/**
 * Reads what the fields need of records that rows are linked to: one query per link. Undefined when memory
 * shouldn't hold so much at once: fewer rows read less. What a single row reads of one field is read as
 * empty where it is too much by itself.
 */
export async function readSources(
  { tx, graph, sourceLength = limits.recordsLengthPerRequest }: Reader,
  schema: TableSchema,
  fields: readonly SchemaField[],
  rows: readonly LinkingRow[],
): Promise<ReadSources | undefined> {
  const sources = new Map<string, Source>()
  const byLink = Map.groupBy(
    fields.filter(({ computation }) => computation?.through),
    ({ computation }) => computation?.through?.linkFieldId ?? '',
  )
  const most = rows.length > 1 ? sourceLength : limits.recordsLengthPerRequest
  let size = 0
  for (const [linkFieldId, reading] of byLink) {
    const link = schema.byKey.id.get(linkFieldId)
    const foreign = link?.link && (await graph.find(link.link.foreignTableId))
    if (!link || !foreign) continue
    const ids = new Set(rows.flatMap((row) => linkedIds(link, row)))
    const read = reading.flatMap(({ field, computation }) => {
      const source = foreign.schema.byKey.id.get(computation?.through?.fieldId ?? '')
      return source ? [{ fieldId: field.id, source }] : []
    })
    const columns = read.flatMap(({ source }): Column[] => (source.column ? [source.column] : []))
    const wanted = { schema: foreign.schema, ids, columns: [...new Set(columns)] }
    const found = await readUpTo(tx, wanted, most - size)
    if (!found && rows.length > 1) return undefined
    size += found?.size ?? 0
    for (const { fieldId, source } of read) {
      const alone = found ?? (await readAlone(tx, wanted, source))
      if (!found) size += alone.size
      sources.set(fieldId, { link, field: source, records: alone.records })
    }
  }
  return { sources, size }
}

interface Wanted {
  readonly schema: TableSchema
  readonly ids: ReadonlySet<string>
  readonly columns: readonly Column[]
}

interface Found {
  readonly records: ReadonlyMap<string, StoredRecord>
  readonly size: number
}

/** Undefined when the records take more than there is room for. */
async function readUpTo(
  { records: repository }: ReadTx,
  { schema, ids, columns }: Wanted,
  room: number,
): Promise<Found | undefined> {
  const records = new Map<string, StoredRecord>()
  let size = 0
  const found = findRecords({ records: repository }, schema, ids, 'none', columns)
  for await (const batch of found) {
    size += batch.size
    if (size > room) return undefined
    for (const record of batch.records) records.set(record.id, record)
  }
  return { records, size }
}

/** What a field reads by itself where all that a row reads is too much: empty cells where it still is. */
async function readAlone(tx: ReadTx, wanted: Wanted, { column }: SchemaField): Promise<Found> {
  const columns = column ? [column] : []
  const most = limits.recordsLengthPerRequest
  const found = await readUpTo(tx, { ...wanted, columns }, most)
  const bare = found ?? (await readUpTo(tx, { ...wanted, columns: [] }, Number.POSITIVE_INFINITY))
  return bare ?? { records: new Map(), size: 0 }
}

function linkedIds({ link, column }: SchemaField, row: LinkingRow): readonly string[] {
  const cell = column ? (row.cells[column.index] ?? null) : null
  return cell === null || !link ? [] : link.ability.recordIds(cell)
}

/** What rows are linked to, one row after another. A link in a row is looked into once for all its fields. */
export class LinkedRows {
  #row: LinkingRow | undefined
  #link: SchemaField | undefined
  #ids: readonly string[] = []

  /** The cells that a row is linked to. A record that is gone by now is linked to nobody. */
  cells({ link, field, records }: Source, row: LinkingRow): readonly LinkedCell[] {
    if (row !== this.#row || link !== this.#link) {
      this.#row = row
      this.#link = link
      this.#ids = linkedIds(link, row)
    }
    const linked: LinkedCell[] = []
    for (const recordId of this.#ids) {
      const record = records.get(recordId)
      if (record) linked.push({ recordId, cell: cellOf(field, record) })
    }
    return linked
  }
}
