import { requireRecordRoom } from '../billing/require-room.ts'
import { type Cell, Refusal } from '../fields/cell.ts'
import { typeOf } from '../fields/field-values.ts'
import { limits } from '../limits.ts'
import { findOversize, unitsOf } from '../records/cell-size.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import type { ColumnField, TableSchema } from '../schemas/table-schema.ts'
import type { WriteTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import type { Deletion } from '../trash/deletion.ts'
import { type Archived, timestampSchema } from './archive-line.ts'
import { holdsOwnCells } from './archived-fields.ts'
import { deletedBy } from './receive-trash.ts'
import { loadSchema, type Receiving, schemaOf, tokenHere } from './receiving.ts'

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
  const schema = await schemaOf(receiving, table)
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
  if (column && holdsOwnCells(column)) return column
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
  if (typeof number !== 'number') return { record: toRecord(receiving, schema, columns, said) }
  const record = toRecord(receiving, schema, columns, members)
  const { recordIds: _, ...deletion } = deletedBy(receiving, schema.tableId, {
    number,
    recordId: record.id,
  })
  return { record, deletion }
}

/** The record that a list tells of. Throws validation_error for what no record could be. */
function toRecord(
  receiving: Receiving,
  schema: TableSchema,
  columns: readonly ColumnField[],
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
  const cells = new Array<Cell | null>(schema.columns.length).fill(null)
  for (const [index, column] of columns.entries()) {
    cells[column.column.index] = toCell(receiving, column, said[membersBefore + index])
  }
  const oversize = findOversize({ cells, row: cells, before: [] }, unitsOf(cells))
  if (oversize) throw reader.wrong(oversize.message)
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

/** The cell, without people whom nobody knows here. */
function toCell(
  { reader, people }: Receiving,
  { field, rules }: ColumnField,
  said: unknown,
): Cell | null {
  const cell = rules.parse(said)
  if (cell instanceof Refusal) throw reader.wrong(`"${field.name}" ${cell.message}`)
  if (cell === null || !rules.userIds) return cell
  const known = rules.userIds(cell).filter((id) => people.has(id))
  if (!Array.isArray(cell)) return known[0] ?? null
  return known.length > 0 ? known : null
}

async function storeRows(
  receiving: Receiving,
  { id: tableId }: Table,
  received: readonly ReceivedRecord[],
): Promise<void> {
  const { context, reader } = receiving
  const { store, spaceId } = context
  const wrong = (message: string) => reader.wrong(message)
  const rows = received.map(({ record }) => record)
  const deletions = new Map(
    received.flatMap(({ record: { id }, deletion }) => (deletion ? [[id, deletion] as const] : [])),
  )
  await store.write(async (tx) => {
    const schema = await loadSchema(tx, tableId)
    // What is in a base that nobody sees yet isn't counted in its space.
    const more = receiving.records + rows.length
    await requireRecordRoom(receiving.within(tx), spaceId, more, 'nothing yet')
    const told = await withoutRepeats(tx, schema, { rows, deletions }, wrong)
    const filled = await withFiles(receiving, tx, schema, told, wrong)
    await tx.recordWriter.insertNumbered(schema, filled, deletions)
  })
  receiving.records += rows.length
}

/**
 * The records without unique values that one before them has: where a value goes from one record to another while an archive
 * is written, it may stand at both. Throws where the cell may not be empty.
 */
async function withoutRepeats(
  tx: WriteTx,
  schema: TableSchema,
  {
    rows,
    deletions,
  }: {
    readonly rows: readonly StoredRecord[]
    readonly deletions: ReadonlyMap<string, Deletion>
  },
  wrong: (message: string) => Error,
): Promise<readonly StoredRecord[]> {
  const unique = schema.columns.filter(({ field }) => field.unique)
  let told = rows
  for (const { field, column } of unique) {
    const { index } = column
    const values = new Set(
      rows.map(({ cells }) => cells[index] ?? null).filter((one) => one !== null),
    )
    const holders = await tx.records.findHolders(schema, column, [...values])
    const taken = new Set(holders.map(({ value }) => value))
    told = told.map((record) => {
      const value = record.cells[index] ?? null
      // Those in the trash stand in nobody's way.
      if (value === null || deletions.has(record.id)) return record
      if (!taken.has(value)) {
        taken.add(value)
        return record
      }
      if (!field.notNull) return { ...record, cells: record.cells.with(index, null) }
      throw wrong(`"${field.name}" must be unique: the record "${record.id}" repeats a value`)
    })
  }
  return told
}

/** The records with the files that came before them, under the tokens that these have here. */
async function withFiles(
  receiving: Receiving,
  tx: WriteTx,
  { columns }: TableSchema,
  rows: readonly StoredRecord[],
  wrong: (message: string) => Error,
): Promise<readonly StoredRecord[]> {
  const { spaceId, userId, now: time, ids } = receiving.context
  let filled = rows
  for (const { field, column } of columns) {
    const { files } = typeOf(field)
    if (!files || field.isLookup) continue
    const renamed = filled.map(({ cells }) => {
      const cell = cells[column.index] ?? null
      if (!cell) return null
      const tokens = files
        .tokens(cell)
        .map((token) => [token, tokenHere(receiving, token)] as const)
      return files.withTokens(cell, new Map(tokens))
    })
    const tokens = [...new Set(renamed.flatMap((cell) => files.tokens(cell)))]
    if (tokens.length === 0) continue
    await tx.attachments.attach({ spaceId, tokens, userId, time })
    const stored = await tx.attachments.findAll(spaceId, tokens)
    const known = new Map(stored.map((file) => [file.token, file]))
    filled = filled.map((record, index) => {
      const cell = renamed[index]
      if (!cell) return record
      if (files.tokens(cell).some((token) => !known.has(token))) {
        throw wrong(`the record "${record.id}" has a file that did not come before it`)
      }
      const cells = record.cells.with(column.index, files.fill(cell, known, ids))
      return { ...record, cells }
    })
  }
  return filled
}
