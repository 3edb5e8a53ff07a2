import type { Cell } from '@gateleg/domain/fields/cell'
import type { NewRecord, StoredRecord } from '@gateleg/domain/records/stored-record'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { decodeCell, encodeCell } from '../schemas/record-table.ts'
import { systemColumnsRead } from './record-statements.ts'

/** Stands for who changed a record that nobody changed since its creation: the column takes no null. */
const nobody = ''

/** The values of a new record, in the order of `insertColumns`. */
export function toNewRow({ columns }: TableSchema, record: NewRecord): unknown[] {
  const { id, createdTime, lastModifiedTime, createdBy, lastModifiedBy, version, cells } = record
  const changedBy = lastModifiedBy ?? nobody
  const row: unknown[] = [id, createdTime, lastModifiedTime, createdBy, changedBy, version]
  for (const { column } of columns) {
    row.push(encodeCell(cells[column.index] ?? null, column.type))
  }
  return row
}

/** A row that was read with the cells of the columns, all of them where none are named. */
export function toRecord(
  { columns: all }: TableSchema,
  row: readonly unknown[],
  columns?: readonly Column[],
): StoredRecord {
  return {
    id: row[0] as string,
    autoNumber: Number(row[1]),
    createdTime: row[2] as string,
    lastModifiedTime: row[3] as string,
    createdBy: row[4] as string,
    lastModifiedBy: row[5] === nobody ? null : (row[5] as string),
    version: Number(row[6]),
    cells: columns
      ? someCells(all.length, row, columns)
      : all.map(({ column }) => decodeCell(row[systemColumnsRead + column.index], column.type)),
  }
}

function someCells(count: number, row: readonly unknown[], columns: readonly Column[]) {
  const cells = new Array<Cell | null>(count).fill(null)
  for (const [place, { index, type }] of columns.entries()) {
    cells[index] = decodeCell(row[systemColumnsRead + place], type)
  }
  return cells
}
