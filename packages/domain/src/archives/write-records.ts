import { typeOf } from '../fields/field-values.ts'
import type { LinkSide } from '../fields/link-side.ts'
import { limits } from '../limits.ts'
import type { LinkedPair } from '../links/link-repository.ts'
import type { RecordBatch } from '../records/record-batch.ts'
import { scanRecords } from '../records/scan-records.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import {
  type ArchiveSource,
  changedMeanwhile,
  isAsWritten,
  type WrittenTable,
} from './archive-source.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { type ArchivedTables, archivedColumns, withinRoom } from './archived-fields.ts'
import type { FilesOfArchive } from './files-of-archive.ts'
import { TrashOfArchive } from './trash-of-archive.ts'

/** A table whose records are written. */
interface RecordsOfTable {
  readonly table: WrittenTable
  readonly tables: ArchivedTables
  readonly files: FilesOfArchive
}

/** The records of a table, in the order of their numbers, each after the files that it names. */
export async function* linesOfRecords(
  source: ArchiveSource,
  writer: ArchiveWriter,
  { table, tables, files }: RecordsOfTable,
): AsyncGenerator<string> {
  const { schema } = table
  const columns = archivedColumns(schema, tables)
  const read = columns.map(({ field }) => field.column)
  const fields = columns.map(({ field }) => field.field.id)
  const head = () => writer.said('records', { table: table.table.id, fields })
  const trash = new TrashOfArchive(writer, table.table)
  const take = limits.recordsPerExportPart
  let isBegun = false
  for await (const batch of batchesOf(source, table, async (tx, after) => {
    const step = { after, take, withDeleted: source.includeTrash }
    const { records } = await tx.recordScanner.next(schema, step, read)
    return { records, deletions: source.includeTrash ? await trash.read(tx, records) : new Map() }
  })) {
    const { records, text: noted } = trash.told(batch)
    if (noted !== '') {
      isBegun = false
      yield noted
    }
    for await (const line of files.linesOf(records, columns)) {
      isBegun = false
      yield line
    }
    let text = isBegun ? '' : head()
    isBegun = true
    for (const record of records) {
      const cells = columns.map((column) => {
        const cell = column.toCell(record)
        return typeOf(column.field.field).files ? files.toArchived(cell) : cell
      })
      const entry = trash.entryOf(batch.deletions.get(record.id))
      const deleted = entry === undefined ? [] : [entry]
      text += writer.cells([...deleted, ...membersOf(record), ...withinRoom(columns, cells)])
      if (text.length < limits.exportPartLength) continue
      yield text
      text = ''
    }
    yield text
  }
}

function membersOf(record: StoredRecord): readonly unknown[] {
  const { id, autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy } = record
  return [id, autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy]
}

/** The records of a table batch by batch, each read on a snapshot of its own. */
async function* batchesOf<Batch extends Pick<RecordBatch, 'records'>>(
  { read }: ArchiveSource,
  written: WrittenTable,
  next: (tx: ReadTx, after: number) => Promise<Batch>,
): AsyncGenerator<Batch> {
  for (let after = 0; ; ) {
    const batch = await read(async (tx) => {
      const [now] = await tx.tables.findAll([written.table.id], 'none')
      if (!(await isAsWritten(tx, written, now))) throw changedMeanwhile()
      return next(tx, after)
    })
    const last = batch.records.at(-1)
    if (!last) return
    yield batch
    after = last.autoNumber
  }
}

/**
 * The links within the base, by field: first those of one end of each link, then the orders in which the other ends have
 * theirs.
 */
export async function* linesOfLinks(
  source: ArchiveSource,
  writer: ArchiveWriter,
  written: readonly WrittenTable[],
  tables: ArchivedTables,
): AsyncGenerator<string> {
  for (const isFirst of [true, false]) {
    for (const table of written) {
      for (const { field, link } of table.schema.fields) {
        if (!link || !tables.has(link.foreignTableId)) continue
        const { end, symmetricFieldId } = link
        if ((end.isMaker || symmetricFieldId === undefined) !== isFirst) continue
        yield writer.said('links', { field: field.id })
        yield* linesOfEnd(source, writer, table, end)
      }
    }
  }
}

async function* linesOfEnd(
  source: ArchiveSource,
  writer: ArchiveWriter,
  table: WrittenTable,
  end: LinkSide,
): AsyncGenerator<string> {
  const { schema } = table
  const take = limits.recordsPerCalculation
  const { includeTrash: withDeleted } = source
  const which = withDeleted ? 'all' : 'living'
  for await (const { records } of batchesOf(source, table, (tx, after) =>
    tx.recordScanner.next(schema, { after, take, withDeleted }, []),
  )) {
    const ids = records.map(({ id }) => id)
    const counts = await source.read((tx) => tx.links.count(end, ids, which))
    for (const group of groupsOf(ids, counts)) {
      const pairs = await source.read((tx) => tx.links.of(end, group, which))
      yield linesOfPairs(writer, pairs)
    }
  }
}

/** Those of the records that have links, so many at a time as have `limits.linksStoredAtOnce`, or few more. */
export function* groupsOf(
  ids: readonly string[],
  counts: ReadonlyMap<string, number>,
): Generator<readonly string[]> {
  let group: string[] = []
  let links = 0
  for (const id of ids) {
    const count = counts.get(id) ?? 0
    if (count === 0) continue
    group.push(id)
    links += count
    if (links < limits.linksStoredAtOnce) continue
    yield group
    group = []
    links = 0
  }
  if (group.length > 0) yield group
}

function linesOfPairs(writer: ArchiveWriter, pairs: readonly LinkedPair[]): string {
  let text = ''
  for (const [recordId, ofRecord] of Map.groupBy(pairs, (pair) => pair.recordId)) {
    text += writer.line([recordId, ...ofRecord.map(({ foreignId }) => foreignId)])
  }
  return text
}

/** The orders that the rows of views of a table were put into. */
export async function* linesOfOrder(
  { read, includeTrash }: ArchiveSource,
  writer: ArchiveWriter,
  { schema, ordered }: WrittenTable,
): AsyncGenerator<string> {
  if (ordered.length === 0) return
  const known = await read((tx) => numbersOf(tx, schema, includeTrash))
  for (const { id, rowOrder } of ordered) {
    if (!rowOrder) continue
    const most = limits.placesNotedAtOnce
    const parts = await read((tx) => tx.rowOrders.sorted(schema, { keys: [], rowOrder }, most))
    yield writer.said('order', { view: id })
    for (const part of parts) {
      const numbers = (JSON.parse(part) as string[]).map(Number)
      yield writer.line(numbers.filter((number) => known.has(number)))
    }
  }
}

async function numbersOf(
  tx: ReadTx,
  schema: TableSchema,
  withDeleted: boolean,
): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>()
  for await (const { records } of scanRecords(tx, schema, { columns: [], withDeleted })) {
    for (const { autoNumber } of records) numbers.add(autoNumber)
    await tx.giveWay()
  }
  return numbers
}
