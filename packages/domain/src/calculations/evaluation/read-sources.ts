import { nobody } from '../../fields/cell.ts'
import type { LinkedCell } from '../../fields/computed/computation.ts'
import type { ReadThrough } from '../../fields/computed/read-through.ts'
import { limits } from '../../limits.ts'
import type { Condition } from '../../queries/condition.ts'
import { toStoredCondition } from '../../queries/to-condition.ts'
import { conditionSteps } from '../../records/evaluation/condition-steps.ts'
import { meetsCondition } from '../../records/evaluation/meets-condition.ts'
import { findRecords } from '../../records/reading/scan-records.ts'
import { cellOf } from '../../records/stored/cell-of.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { Column, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { stepsPerTurn } from './step-budget.ts'

/** What a field reads through a link: the field of the linked table, and the records there that count. */
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
  /** Steps that it took to tell which records count. */
  readonly steps: number
}

/** What a field reads of the linked table. */
interface Reading {
  readonly fieldId: string
  readonly source: SchemaField
  /** Which records count; undefined where all do. */
  readonly condition: Condition | undefined
  readonly columns: readonly Column[]
}

/**
 * Reads what the fields need of records that rows are linked to: one query per link. Undefined when memory
 * shouldn't hold so much at once, or filters would take too long: fewer rows read less. What a single row reads of
 * one field is read as empty where it is too much by itself.
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
  const isAlone = rows.length === 1
  const most = isAlone ? limits.recordsLengthPerRequest : sourceLength
  let size = 0
  let steps = 0
  for (const [linkFieldId, reading] of byLink) {
    const link = schema.byKey.id.get(linkFieldId)
    const foreign = link?.link && (await graph.find(link.link.foreignTableId))
    if (!link || !foreign) continue
    const ids = new Set(rows.flatMap((row) => linkedIds(link, row)))
    const read = reading.flatMap((field) => toReading(field, foreign.schema) ?? [])
    const columns = [...new Set(read.flatMap((one) => one.columns))]
    const wanted = { schema: foreign.schema, ids, columns }
    const found = await readUpTo(tx, wanted, most - size)
    if (!found && !isAlone) return undefined
    size += found?.size ?? 0
    for (const { fieldId, source, condition, columns: own } of read) {
      const alone = found ?? (await readAlone(tx, { ...wanted, columns: own }, condition))
      if (!found) size += alone.size
      const room = isAlone ? limits.linkFilterSteps : limits.linkFilterSteps - steps
      const counted = condition && (await countedBy(tx, condition, alone.records, room))
      if (condition && !counted && !isAlone) return undefined
      steps += counted?.steps ?? 0
      const records = condition ? (counted?.records ?? new Map()) : alone.records
      sources.set(fieldId, { link, field: source, records })
    }
  }
  return { sources, size, steps }
}

/** Undefined where the field that is read is gone. */
function toReading({ field, computation }: SchemaField, schema: TableSchema): Reading | undefined {
  const { through } = computation ?? {}
  const source = schema.byKey.id.get(through?.fieldId ?? '')
  if (!through || !source) return undefined
  const columns = through.fieldIds.flatMap((id) => schema.byKey.id.get(id)?.column ?? [])
  return { fieldId: field.id, source, condition: conditionOf(through, schema), columns }
}

/** A filter of a field names nothing that depends on who asks, or when. */
function conditionOf({ filter }: ReadThrough, schema: TableSchema): Condition | undefined {
  if (!filter) return undefined
  const now = '2000-01-01T00:00:00.000Z'
  return toStoredCondition(filter, { schema, fieldKeyType: 'id', userId: '', now })
}

/** Those of the records that the condition holds for; undefined where that takes more steps than there are. */
async function countedBy(
  tx: ReadTx,
  condition: Condition,
  records: ReadonlyMap<string, StoredRecord>,
  room: number,
): Promise<{ readonly records: Map<string, StoredRecord>; readonly steps: number } | undefined> {
  const counted = new Map<string, StoredRecord>()
  let steps = 0
  let turnEnd = stepsPerTurn
  for (const [id, record] of records) {
    steps += conditionSteps(condition, record)
    if (steps > room) return undefined
    // A filter asks for nobody's name.
    if (meetsCondition(condition, record, nobody)) counted.set(id, record)
    if (steps < turnEnd) continue
    await tx.giveWay()
    turnEnd = steps + stepsPerTurn
  }
  return { records: counted, steps }
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

/**
 * What a field reads by itself where all that a row reads is too much. Where it still is, all cells are read as empty;
 * then no record counts of which something is asked.
 */
async function readAlone(
  tx: ReadTx,
  wanted: Wanted,
  condition: Condition | undefined,
): Promise<Found> {
  const found = await readUpTo(tx, wanted, limits.recordsLengthPerRequest)
  if (found || condition) return found ?? { records: new Map(), size: 0 }
  const bare = await readUpTo(tx, { ...wanted, columns: [] }, Number.POSITIVE_INFINITY)
  return bare ?? { records: new Map(), size: 0 }
}

function linkedIds({ link, column }: SchemaField, row: LinkingRow): readonly string[] {
  const cell = column ? (row.cells[column.index] ?? null) : null
  return cell === null || !link ? [] : link.capability.recordIds(cell)
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
