import type { Cell } from '../../fields/cell.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { LinkEnd } from '../../fields/link-end.ts'
import { linkCapabilityOf } from '../../fields/link-of.ts'
import { limits } from '../../limits.ts'
import type { LinkedPair } from '../../links/link-repository.ts'
import { scanRecords } from '../../records/reading/scan-records.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { ArchiveWriter } from '../format/archive-writer.ts'
import { type ArchiveSource, requireAsWritten, type WrittenTable } from './archive-source.ts'
import {
  type ArchivedColumn,
  type ArchivedTables,
  archivedColumns,
  type FittedCells,
  fittedCells,
} from './archived-fields.ts'
import type { FilesOfArchive } from './files-of-archive.ts'
import { purgedOf, type RecordsOfTrash, TrashOfArchive } from './trash-of-archive.ts'

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
  const columns = archivedColumns(table, { tables, includeTrash: source.includeTrash })
  const read = columns.map(({ field }) => field.column)
  const fields = columns.map(({ field }) => field.field.id)
  const head = () => writer.said('records', { table: table.table.id, fields })
  const trash = new TrashOfArchive(writer, table.table)
  const take = limits.recordsPerExportPart
  let isBegun = false
  for await (const batch of batchesOf(source, table, async (tx, after) => {
    const step = { after, take, withDeleted: source.includeTrash }
    const { records } = await tx.recordScanner.next(schema, step, read)
    if (source.includeTrash) return trash.read(tx, records)
    return { records, deletions: new Map(), entries: [], last: records.at(-1) }
  })) {
    const { records, deletions } = batch
    const noted = trash.told(batch.entries)
    if (noted !== '') {
      isBegun = false
      yield noted
    }
    for await (const line of files.linesOf(records, columns)) {
      isBegun = false
      yield line
    }
    let text = isBegun || records.length === 0 ? '' : head()
    isBegun ||= records.length > 0
    const apart = new CellsApart(columns)
    for (const record of records) {
      const entry = trash.entryOf(deletions.get(record.id))
      const all = columns.map((column) => {
        if (column.isLastName && entry === undefined) return null
        const cell = column.toCell(record)
        return typeOf(column.field.field).files ? files.toArchived(cell) : cell
      })
      const told = fittedCells(columns, all)
      const cells = apart.without(record, told)
      const deleted = entry === undefined ? [] : [entry]
      text += writer.cells([...deleted, ...membersOf(record), ...cells])
      if (text.length < limits.exportPartLength) continue
      yield text
      text = ''
    }
    yield text
    for (const line of apart.lines(writer)) {
      isBegun = false
      yield line
    }
  }
}

/** Cells of deleted fields that have no room in the lists of some records. */
class CellsApart {
  readonly #columns: readonly ArchivedColumn[]
  readonly #byColumn = new Map<number, (readonly [number: number, cell: Cell | null])[]>()

  constructor(columns: readonly ArchivedColumn[]) {
    this.#columns = columns
  }

  /** What the list of the record tells: the others are taken in. */
  without({ autoNumber }: StoredRecord, { cells, apart }: FittedCells): FittedCells['cells'] {
    if (apart.length === 0) return cells
    const left = [...cells]
    for (const index of apart) {
      const ofColumn = this.#byColumn.get(index) ?? []
      this.#byColumn.set(index, ofColumn)
      ofColumn.push([autoNumber, cells[index] ?? null])
      left[index] = null
    }
    return left
  }

  /** The lines of all that was taken in, which follow those of the records. */
  *lines(writer: ArchiveWriter): Generator<string> {
    for (const [index, cells] of this.#byColumn) {
      yield writer.said('cells', { field: this.#columns[index]?.field.field.id ?? '' })
      for (const cell of cells) yield writer.cells(cell)
    }
  }
}

function membersOf(record: StoredRecord): readonly unknown[] {
  const { id, autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy } = record
  return [id, autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy]
}

/** Records that were read, and the last that was looked at; undefined at the end. */
type ReadBatch = Pick<RecordsOfTrash, 'records' | 'last'>

/** The records of a table batch by batch, each read on a snapshot of its own. */
async function* batchesOf<Batch extends ReadBatch>(
  source: ArchiveSource,
  written: WrittenTable,
  next: (tx: ReadTx, after: number) => Promise<Batch>,
): AsyncGenerator<Batch> {
  for (let after = 0; ; ) {
    const batch = await source.read(async (tx) => {
      await requireAsWritten(source, tx, written)
      return next(tx, after)
    })
    if (!batch.last) return
    yield batch
    after = batch.last.autoNumber
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
  const byId = new Map(written.map((one) => [one.table.id, one]))
  for (const isFirst of [true, false]) {
    for (const table of written) {
      for (const link of await linksOf(source, table, tables)) {
        if ((link.end.isOwner || link.isAlone) !== isFirst) continue
        const foreign = byId.get(link.foreignTableId)
        if (!foreign) continue
        yield writer.said('links', { field: link.fieldId })
        yield* linesOfEnd(source, writer, { table, foreign, end: link.end })
      }
    }
  }
}

/** A link that an archive has, at the end of a field. */
interface ArchivedLink {
  readonly fieldId: string
  readonly foreignTableId: string
  readonly end: LinkEnd
  /** Whether no other field shows it. */
  readonly isAlone: boolean
}

/** The links of a table that lead within the archive; with the trash, those that nobody sees now, too. */
async function linksOf(
  source: ArchiveSource,
  table: WrittenTable,
  tables: ArchivedTables,
): Promise<readonly ArchivedLink[]> {
  const { schema, leftOut } = table
  const keyOf = ({ ownerFieldId, isOwner }: LinkEnd) => `${ownerFieldId} ${isOwner}`
  const ends = source.includeTrash
    ? await source.read((tx) => tx.fields.linkEndsOf(table.table.id))
    : []
  const withPairs = new Set(ends.flatMap(({ end, hasPairs }) => (hasPairs ? keyOf(end) : [])))
  return schema.fields.flatMap(({ field, link }): ArchivedLink[] => {
    const capability = linkCapabilityOf(field)
    if (!capability || leftOut.has(field.id)) return []
    const { foreignTableId, symmetricFieldId } = capability.targetOf(field.options)
    const end = capability.endOf(field.options)
    const isThere = source.includeTrash ? withPairs.has(keyOf(end)) : link !== undefined
    if (!isThere || !tables.has(foreignTableId)) return []
    const isAlone = symmetricFieldId === undefined
    return [{ fieldId: field.id, foreignTableId, end, isAlone }]
  })
}

async function* linesOfEnd(
  source: ArchiveSource,
  writer: ArchiveWriter,
  { table, foreign, end }: LinkTables & { readonly end: LinkEnd },
): AsyncGenerator<string> {
  const { schema } = table
  const take = limits.recordsPerCalculation
  const { includeTrash: withDeleted } = source
  const which = withDeleted ? 'all' : 'living'
  for await (const { records } of batchesOf(source, table, async (tx, after) => {
    const { records } = await tx.recordScanner.next(schema, { after, take, withDeleted }, [])
    return { records, last: records.at(-1) }
  })) {
    const ids = records.map(({ id }) => id)
    const counts = await source.read((tx) => tx.links.count(end, ids, which))
    for (const group of groupsOf(ids, counts)) {
      const pairs = await source.read(async (tx) => {
        const all = await tx.links.of(end, group, which)
        return withDeleted ? withoutPurged(tx, { table, foreign }, all) : all
      })
      yield linesOfPairs(writer, pairs)
    }
  }
}

/** The tables at both ends of a link. */
interface LinkTables {
  readonly table: WrittenTable
  readonly foreign: WrittenTable
}

/** The pairs but those of records that are in no entry of the trash any more: these are on their way out. */
async function withoutPurged(
  tx: Pick<ReadTx, 'records' | 'trash'>,
  { table, foreign }: LinkTables,
  pairs: readonly LinkedPair[],
): Promise<readonly LinkedPair[]> {
  const own = [...new Set(pairs.map(({ recordId }) => recordId))]
  const others = [...new Set(pairs.map(({ foreignId }) => foreignId))]
  const purged = await purgedOf(tx, table.schema, own)
  const purgedThere = await purgedOf(tx, foreign.schema, others)
  if (purged.size === 0 && purgedThere.size === 0) return pairs
  return pairs.filter(
    ({ recordId, foreignId }) => !purged.has(recordId) && !purgedThere.has(foreignId),
  )
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
      const written = numbers.filter((number) => known.has(number))
      if (written.length > 0) yield writer.line(written)
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
    const ids = records.map(({ id }) => id)
    const purged = withDeleted ? await purgedOf(tx, schema, ids) : new Set()
    for (const { id, autoNumber } of records) if (!purged.has(id)) numbers.add(autoNumber)
    await tx.giveWay()
  }
  return numbers
}
