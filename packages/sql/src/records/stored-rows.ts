import type { Cell } from '@gateleg/domain/fields/cell'
import type { RecordParts } from '@gateleg/domain/records/record-scanner'
import type { RecordChange, WrittenBy } from '@gateleg/domain/records/record-writer'
import {
  bareRecord,
  type NewRecord,
  type StoredRecord,
} from '@gateleg/domain/records/stored-record'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { rowSize, valueSize } from '../core/connection.ts'
import type { SqlSession } from '../core/session.ts'
import { CellReader, encodeCell } from '../schemas/stored-cells.ts'
import { columnsOfParts, nobody, systemColumnsRead } from './record-table.ts'

/** The values of a record that is about to be made, in the order of `ownColumns`. */
export function toNewRow({ columns }: TableSchema, { id, cells }: NewRecord): unknown[] {
  return toRow(columns, [id], cells)
}

/** The values of a record, in the order of `insertColumns`. */
export function toWholeRow({ columns }: TableSchema, record: StoredRecord): unknown[] {
  const { id, createdTime, lastModifiedTime, createdBy, lastModifiedBy, version, cells } = record
  const changedBy = lastModifiedBy ?? nobody
  const system = [id, createdTime, lastModifiedTime, createdBy, changedBy, version]
  return toRow(columns, system, cells)
}

function toRow(
  columns: TableSchema['columns'],
  beginning: readonly unknown[],
  cells: StoredRecord['cells'],
): unknown[] {
  // Made as long as it becomes: a list that grows is copied as it does.
  const row: unknown[] = new Array(beginning.length + columns.length)
  let end = 0
  for (const value of beginning) row[end++] = value
  for (const { column } of columns) {
    row[end++] = encodeCell(cells[column.index] ?? null, column.type)
  }
  return row
}

/** Values that are written or read before it is seen whether others should have their turn: a millisecond. */
const lengthPerTurn = 128 * 1024

/** The values of records, each as `toRow` has them; others have their turn in between. */
export async function toRows<OfRecord extends NewRecord>(
  { giveWay }: Pick<SqlSession, 'giveWay'>,
  schema: TableSchema,
  records: readonly OfRecord[],
  toRow: (schema: TableSchema, record: OfRecord) => unknown[],
): Promise<unknown[][]> {
  const rows: unknown[][] = []
  let length = 0
  for (const record of records) {
    const row = toRow(schema, record)
    rows.push(row)
    length += rowSize(row)
    if (length < lengthPerTurn) continue
    length = 0
    await giveWay()
  }
  return rows
}

/**
 * The values of so many new records each, after when they are made and by whom, those of each record as in `toNewRow`; the
 * number of records is a multiple of that. Others have their turn in between.
 */
export async function toRowGroups(
  { giveWay }: Pick<SqlSession, 'giveWay'>,
  { columns }: TableSchema,
  records: readonly NewRecord[],
  { each, by }: { readonly each: number; readonly by: WrittenBy },
): Promise<unknown[][]> {
  const groups: unknown[][] = []
  let length = 0
  for (let start = 0; start < records.length; start += each) {
    const group: unknown[] = new Array(2 + each * (1 + columns.length))
    group[0] = by.time
    group[1] = by.userId
    let end = 2
    for (let index = start; index < start + each; index++) {
      const { id, cells } = records[index] as NewRecord
      group[end++] = id
      for (const { column } of columns) {
        const value = encodeCell(cells[column.index] ?? null, column.type)
        group[end++] = value
        length += typeof value === 'string' ? value.length : valueSize
      }
      if (length < lengthPerTurn) continue
      length = 0
      await giveWay()
    }
    groups.push(group)
  }
  return groups
}

/** The values of changes, each after the number of its record; others have their turn in between. */
export async function toChangedRows(
  { giveWay }: Pick<SqlSession, 'giveWay'>,
  columns: readonly Column[],
  changes: readonly RecordChange[],
): Promise<unknown[][]> {
  const rows: unknown[][] = []
  let length = 0
  for (const { autoNumber, values } of changes) {
    const row: unknown[] = [autoNumber]
    rows.push(row)
    let index = 0
    for (const cell of values) {
      const value = encodeCell(cell, columns[index++]?.type ?? 'TEXT')
      row.push(value)
      if (typeof value === 'string') length += value.length
      if (length < lengthPerTurn) continue
      length = 0
      await giveWay()
    }
  }
  return rows
}

/** What rows have beside their cells: before these, what is read of records; behind them, what each takes where it is told. */
export interface RowForm {
  readonly parts: RecordParts
  readonly withBytes: boolean
}

/** Rows that have all of records, and nothing more. */
export const wholeRows: RowForm = { parts: 'all', withBytes: false }

/** A record whose bytes are told once they are known. */
type MeasuredRecord = Omit<StoredRecord, 'bytes'> & { bytes?: number }

/** What a row has before its cells. */
interface RowBeginning {
  /** How many values it is. */
  readonly length: number
  readonly toRecord: (row: readonly unknown[], cells: readonly (Cell | null)[]) => MeasuredRecord
}

/** How rows are read. */
interface Reading {
  readonly beginning: RowBeginning
  readonly reader: CellReader
  /** All where undefined. */
  readonly columns: readonly Column[] | undefined
}

/** Rows that were read as records, with the cells of the columns, all of them where none are named. */
export async function toRecords(
  session: Pick<SqlSession, 'giveWay'>,
  schema: TableSchema,
  rows: readonly (readonly unknown[])[],
  columns?: readonly Column[],
  { parts, withBytes }: RowForm = wholeRows,
): Promise<StoredRecord[]> {
  const beginning = beginnings[parts]
  const reading: Reading = { beginning, reader: new CellReader(), columns }
  const bytesPlace = withBytes ? beginning.length + (columns ?? schema.columns).length : undefined
  const records: StoredRecord[] = []
  let length = 0
  for (const row of rows) {
    const size = rowSize(row)
    const isLong = size >= lengthPerTurn
    const cells = isLong
      ? await toLongCells(session, schema, row, reading)
      : toCells(schema, row, reading)
    const record = beginning.toRecord(row, cells)
    if (bytesPlace !== undefined) record.bytes = Number(row[bytesPlace])
    records.push(record)
    length += isLong ? 0 : size
    if (length < lengthPerTurn) continue
    length = 0
    await session.giveWay()
  }
  return records
}

function toCells(
  { columns: all }: TableSchema,
  row: readonly unknown[],
  { beginning: { length }, reader, columns }: Reading,
): (Cell | null)[] {
  const cells = columns
    ? new Array<Cell | null>(all.length).fill(null)
    : all.map(({ column }) => reader.read(row[length + column.index], column))
  if (columns) {
    let place = length
    for (const column of columns) cells[column.index] = reader.read(row[place++], column)
  }
  return cells
}

/** The same, cell by cell in turns: each may be a quarter of a megabyte of JSON. */
async function toLongCells(
  { giveWay }: Pick<SqlSession, 'giveWay'>,
  { columns: all }: TableSchema,
  row: readonly unknown[],
  { beginning, reader, columns = all.map(({ column }) => column) }: Reading,
): Promise<(Cell | null)[]> {
  const cells = new Array<Cell | null>(all.length).fill(null)
  let length = 0
  for (const [place, column] of columns.entries()) {
    const value = row[beginning.length + place]
    cells[column.index] = reader.read(value, column)
    if (typeof value === 'string') length += value.length
    if (length < lengthPerTurn) continue
    length = 0
    await giveWay()
  }
  return cells
}

const whole: RowBeginning = {
  length: systemColumnsRead,
  toRecord: (row, cells) => ({
    id: row[0] as string,
    autoNumber: Number(row[1]),
    createdTime: row[2] as string,
    lastModifiedTime: row[3] as string,
    createdBy: row[4] as string,
    lastModifiedBy: row[5] === nobody ? null : (row[5] as string),
    version: Number(row[6]),
    cells,
  }),
}

/** By what is read: the columns of `columnsOfParts` stand there in their order. */
const beginnings: Readonly<Record<RecordParts, RowBeginning>> = {
  all: whole,
  keys: {
    length: columnsOfParts.keys.length,
    toRecord: (row, cells) => bareRecord(row[0] as string, Number(row[1]), cells),
  },
  numbers: {
    length: columnsOfParts.numbers.length,
    toRecord: (row, cells) => bareRecord('', Number(row[0]), cells),
  },
}
