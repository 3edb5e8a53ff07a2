import { requireRecordRoom } from '../../billing/require-room.ts'
import type { Cell } from '../../fields/cell.ts'
import { limits } from '../../limits.ts'
import { findOversize, unitsOf } from '../../records/stored/cell-size.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import type { Table } from '../../tables/table.ts'
import type { Deletion } from '../../trash/deletion.ts'
import { type Archived, timestampSchema } from '../format/archive-line.ts'
import { isLastName, toLastName } from '../format/last-name.ts'
import { holdsOwnCells } from '../writing/archived-fields.ts'
import { toCell, toFitting } from './fitting-rows.ts'
import { deletedBy } from './receive-trash.ts'
import { loadSchema, type Receiving } from './receiving.ts'

/** What a list says of a record before its cells. */
const membersBefore = 6

/** A record, and what deleted it, where it lies in the trash. */
interface ReceivedRecord {
  readonly record: StoredRecord
  readonly deletion?: Deletion
}

/** Writes the records that follow, so many at a time. */
export async function receiveRecords(
  receiving: Receiving,
  said: Archived<'records'>,
): Promise<void> {
  const { reader, made } = receiving
  const table = made.tables.get(said.table)
  if (!table) throw reader.wrong('names a table that is not in the archive')
  const schema = await receiving.context.store.read((tx) => loadSchema(receiving, tx, table.id))
  const columns = said.fields.map((id) => columnOf(receiving, schema, id))
  if (new Set(columns).size !== columns.length) throw reader.wrong('names a field twice')
  let rows: ReceivedRecord[] = []
  let length = 0
  const flush = async () => {
    if (rows.length > 0) await storeRows(receiving, table, rows)
    rows = []
    length = 0
  }
  for (;;) {
    const item = await reader.next()
    if (item?.kind !== 'list') {
      reader.putBack(item)
      break
    }
    rows.push(toReceived(receiving, schema, columns, item.said))
    length += reader.length
    if (rows.length >= limits.recordsPerArchivePiece || length >= limits.archivePieceLength) {
      await flush()
    }
  }
  await flush()
}

function columnOf(
  { reader, made }: Receiving,
  schema: TableSchema,
  archivedId: string,
): ColumnField {
  const id = made.fields.get(archivedId)?.id
  const column = schema.columns.find(({ field }) => field.id === id)
  if (column && (holdsOwnCells(column) || isLastName(column))) return column
  throw reader.wrong(`"${archivedId}" is no field of the table that people fill in`)
}

/** The record that a list tells of, which lies in the trash where the list begins with a number. */
function toReceived(
  receiving: Receiving,
  schema: TableSchema,
  columns: readonly ColumnField[],
  said: readonly unknown[],
): ReceivedRecord {
  const [number, ...members] = said
  if (typeof number !== 'number') {
    return { record: toRecord(receiving, { schema, columns, isDeleted: false }, said) }
  }
  const record = toRecord(receiving, { schema, columns, isDeleted: true }, members)
  const deletion = deletedBy(receiving, schema.tableId, { number, recordId: record.id })
  return { record, deletion }
}

/** What a record is read by. */
interface RowShape {
  readonly schema: TableSchema
  readonly columns: readonly ColumnField[]
  readonly isDeleted: boolean
}

/** The record that a list tells of. Throws validation_error for what no record could be. */
function toRecord(
  receiving: Receiving,
  { schema, columns, isDeleted }: RowShape,
  said: readonly unknown[],
): StoredRecord {
  const { reader, people, last } = receiving
  const [id, autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy] = said
  const before = last.get(schema.tableId) ?? 0
  if (typeof id !== 'string' || !/^rec[0-9a-zA-Z]{1,32}$/.test(id)) {
    throw reader.wrong('a record must begin with its id: "rec" and letters or digits')
  }
  const isNumber = Number.isSafeInteger(autoNumber)
  const number = isNumber ? (autoNumber as number) : 0
  if (number > limits.archivedRecordNumber) {
    throw reader.wrong(`the number of a record must be at most ${limits.archivedRecordNumber}`)
  }
  if (number <= before) {
    throw reader.wrong(`the number of a record must be greater than that before: ${before}`)
  }
  for (const time of [createdTime, lastModifiedTime]) {
    if (!timestampSchema.safeParse(time).success) throw reader.wrong('times must be moments')
  }
  if (typeof createdBy !== 'string' || (lastModifiedBy !== null && !isText(lastModifiedBy))) {
    throw reader.wrong('a record must say who made it')
  }
  if (said.length !== membersBefore + columns.length) {
    throw reader.wrong(`a record of this table must have ${columns.length} cells`)
  }
  const cells = toCells(receiving, { schema, columns, isDeleted }, said.slice(membersBefore))
  last.set(schema.tableId, number)
  return {
    id,
    autoNumber: number,
    createdTime: createdTime as string,
    lastModifiedTime: lastModifiedTime as string,
    createdBy: people.of(createdBy),
    lastModifiedBy: lastModifiedBy === null ? null : people.of(lastModifiedBy as string),
    version: 1,
    cells,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** The cells by the columns of the table. Those of deleted fields have as much room as those of the others. */
function toCells(
  receiving: Receiving,
  { schema, columns, isDeleted }: RowShape,
  said: readonly unknown[],
): readonly (Cell | null)[] {
  const { reader, made } = receiving
  const none = new Array<Cell | null>(schema.columns.length).fill(null)
  const [cells, inTrash] = [none, [...none]]
  for (const [index, column] of columns.entries()) {
    const place = column.column.index
    if (isLastName(column)) {
      inTrash[place] = toLastName(reader, column, { said: said[index], isDeleted })
    } else {
      const cell = toCell(receiving, column, said[index])
      if (made.deletions.has(column.field.id)) inTrash[place] = cell
      else cells[place] = cell
    }
  }
  for (const some of [cells, inTrash]) {
    const oversize = findOversize({ cells: some, row: some, before: [] }, unitsOf(some))
    if (oversize) throw reader.wrong(oversize.message)
  }
  return cells.map((cell, index) => cell ?? inTrash[index] ?? null)
}

async function storeRows(
  receiving: Receiving,
  { id: tableId }: Table,
  received: readonly ReceivedRecord[],
): Promise<void> {
  const { store, spaceId } = receiving.context
  const rows = received.map(({ record }) => record)
  const deletions = new Map(
    received.flatMap(({ record: { id }, deletion }) => (deletion ? [[id, deletion] as const] : [])),
  )
  const living = rows.length - deletions.size
  await store.write(async (tx) => {
    const schema = await loadSchema(receiving, tx, tableId)
    // What is in a base that nobody sees yet isn't counted in its space.
    const more = receiving.living + living
    await requireRecordRoom(receiving.within(tx), spaceId, more, 'nothing yet')
    const filled = await toFitting(receiving, tx, schema, { rows, deletions })
    await tx.recordWriter.insertNumbered(schema, filled, deletions)
  })
  receiving.records += rows.length
  receiving.living += living
}
