import type { Cell } from '../../fields/cell.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { findOversize } from '../cell-size.ts'
import { mapInTurns } from '../map-in-turns.ts'
import type { Row } from '../record-change.ts'
import { type IssueLocator, RowIssues } from '../row-issues.ts'
import type { StoredRecord } from '../stored-record.ts'

/**
 * Refuses rows that empty a required field, repeat a unique value or take too much room. `changed` are
 * the records that the rows change, in the same order, and hold other values in the cells that the rows
 * name; none for records that are new, whose rows are complete.
 */
export async function checkRows(
  tx: ReadTx,
  schema: TableSchema,
  rows: readonly Row[],
  places: IssueLocator,
  changed?: readonly StoredRecord[],
): Promise<void> {
  const issues = new RowIssues(places)
  await checkSizes(tx, schema, rows, issues, changed)
  for (const schemaField of schema.columns) {
    const { field, column } = schemaField
    if (!field.notNull) continue
    rows.forEach((row, index) => {
      if (row[column.index] === null) issues.add(index, schemaField, 'must not be empty')
    })
  }
  await checkUnique(tx, schema, rows, issues)
  issues.throwIfAny()
}

async function checkSizes(
  tx: ReadTx,
  schema: TableSchema,
  rows: readonly Row[],
  issues: RowIssues,
  changed: readonly StoredRecord[] | undefined,
): Promise<void> {
  // What follows from other cells has limits of its own.
  const isEntered = schema.columns.map(({ computation }) => !computation)
  const isPlain = isEntered.every(Boolean)
  await mapInTurns(tx, rows, (row, index) => {
    const record = changed?.[index]
    const all = record ? row.map((cell, i) => (cell === undefined ? record.cells[i] : cell)) : row
    const cells = isPlain ? all : all.map((cell, i) => (isEntered[i] ? cell : undefined))
    const oversize = findOversize(cells)
    if (oversize) issues.add(index, schema.columns[oversize.index ?? -1], oversize.message)
  })
}

/**
 * A value is free when no record had it before the request: two records can't exchange values in one,
 * because a storage checks each record by itself.
 */
async function checkUnique(
  tx: ReadTx,
  schema: TableSchema,
  rows: readonly Row[],
  issues: RowIssues,
): Promise<void> {
  for (const schemaField of schema.columns) {
    const { field, column } = schemaField
    if (!field.unique) continue
    const rowByValue = new Map<Cell, number>()
    rows.forEach((row, index) => {
      const value = row[column.index]
      if (value === null || value === undefined) return
      if (rowByValue.has(value)) {
        issues.add(index, schemaField, 'must be unique: the request has the value twice')
      } else rowByValue.set(value, index)
    })
    const holders = await tx.records.findHolders(schema, column, [...rowByValue.keys()])
    for (const { value } of holders) {
      const row = rowByValue.get(value)
      if (row !== undefined) {
        issues.add(row, schemaField, 'must be unique: another record has this value')
      }
    }
  }
}
