import type { Cell } from '../../fields/cell.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { mostAnswered, tooLongToAnswer } from '../answer-size.ts'
import type { CellPatch } from '../cell-patch.ts'
import { findOversize, unitsOf } from '../cell-size.ts'
import { mapInTurns } from '../map-in-turns.ts'
import { RowIssues } from '../row-issues.ts'
import type { CheckedRows, RecordWrite, ResolvedRows } from './record-write.ts'

/**
 * Completes the rows as the strategy says. Throws validation_error for rows that empty a required field,
 * repeat a unique value or give a record or a cell that takes too much room, or all records together.
 */
export async function checkRows(write: RecordWrite, resolved: ResolvedRows): Promise<CheckedRows> {
  const { context, options, strategy } = write
  const { schema } = resolved.loaded
  const { rows, cells } = await strategy.complete(write, resolved)
  const issues = new RowIssues(options)
  await checkSizes(write, { ...resolved, rows, cells }, issues)
  for (const schemaField of schema.columns) {
    const { field, column } = schemaField
    if (!field.notNull) continue
    rows.forEach((row, index) => {
      if (row[column.index] === null) issues.add(index, schemaField, 'must not be empty')
    })
  }
  await checkUnique(context.tx, schema, rows, issues)
  issues.throwIfAny()
  return { ...resolved, rows, cells }
}

async function checkSizes(
  { context }: RecordWrite,
  { loaded: { schema }, rows, cells: records, existing }: CheckedRows,
  issues: RowIssues,
): Promise<void> {
  // What follows from other cells has limits of its own.
  const isEntered = schema.columns.map(({ computation }) => !computation)
  const isPlain = isEntered.every(Boolean)
  const entered = (cells: CellPatch): CellPatch =>
    isPlain ? cells : cells.map((cell, index) => (isEntered[index] ? cell : undefined))
  const most = mostAnswered(context)
  let total = 0
  await mapInTurns(context.tx, records, (all, index) => {
    const cells = entered(all)
    const units = unitsOf(cells)
    total += units
    // Before anything is stored: defaults make long records of requests that name no values.
    if (total > most) throw tooLongToAnswer(context)
    const row = rows[index] ?? []
    const before = entered(existing[index]?.cells ?? [])
    const oversize = findOversize({ cells, row, before }, units)
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
  rows: readonly CellPatch[],
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
