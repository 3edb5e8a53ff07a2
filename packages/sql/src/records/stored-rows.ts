import type { Cell } from '@gateleg/domain/fields/cell'
import type { RecordParts } from '@gateleg/domain/records/reading/record-scanner'
import type { RecordChange } from '@gateleg/domain/records/record-writer'
import {
  bareRecord,
  type NewRecord,
  type StoredRecord,
} from '@gateleg/domain/records/stored/stored-record'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { rowSize, valueSize } from '../core/connection.ts'
import type { SqlSession } from '../core/session.ts'
import { columnsOfParts, nobody, systemColumnsRead } from '../record-tables/record-table.ts'
import { CellReader, encodeCell } from '../record-tables/stored-cells.ts'

/** What the row of a record that is about to be made has before its cells, in the order of `ownColumns`. */
export function beforeNewCells({ id }: NewRecord): readonly unknown[] {
  return [id]
}

/** The values of a record that was made, in the order of `insertColumns`. */
export function beforeCells(record: StoredRecord): readonly unknown[] {
  const { id, createdTime, lastModifiedTime, createdBy, lastModifiedBy, version } = record
  return [id, createdTime, lastModifiedTime, createdBy, lastModifiedBy ?? nobody, version]
}

/** Values that are written or read before it is seen whether others should have their turn: a millisecond. */
const lengthPerTurn = 128 * 1024

/**
 * The values of records, what is before the cells of each and then these; others have their turn in between. Of the
 * records `each` make one list, and their number is a multiple of that.
 */
export async function toRows<OfRecord extends NewRecord>(
  { giveWay }: Pick<SqlSession, 'giveWay'>,
  { columns }: TableSchema,
  records: readonly OfRecord[],
  before: (record: OfRecord) => readonly unknown[],
  each = 1,
): Promise<unknown[][]> {
  const rows: unknown[][] = []
  let length = 0
  let row: unknown[] = []
  let end = 0
  // In a function that waits, `for … of` makes an object for each value: values are counted, and so are records, since
  // entries() makes a list for each.
  let index = 0
  for (const record of records) {
    const beginning = before(record)
    if (index++ % each === 0) {
      // Made as long as it becomes: a list that grows is copied as it does.
      row = new Array(each * (beginning.length + columns.length))
      rows.push(row)
      end = 0
    }
    for (let place = 0; place < beginning.length; place++) {
      const value = beginning[place]
      row[end++] = value
      length += sizeOf(value)
    }
    for (let place = 0; place < columns.length; place++) {
      const { index, type } = (columns[place] as TableSchema['columns'][number]).column
      const value = encodeCell(record.cells[index] ?? null, type)
      row[end++] = value
      length += sizeOf(value)
    }
    if (length < lengthPerTurn) continue
    length = 0
    await giveWay()
  }
  return rows
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length + valueSize : valueSize
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
    const row: unknown[] = new Array(1 + values.length)
    row[0] = autoNumber
    rows.push(row)
    for (let place = 0; place < values.length; place++) {
      const value = encodeCell(values[place] ?? null, columns[place]?.type ?? 'TEXT')
      row[1 + place] = value
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

/** The cells of a row, one by one in turns: each may be a quarter of a megabyte of JSON. */
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
