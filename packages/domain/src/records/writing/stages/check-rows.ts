import type { Cell } from '../../../fields/cell.ts'
import type { ColumnField } from '../../../schemas/table-schema.ts'
import type { ReadTx } from '../../../store.ts'
import { RowIssues } from '../../input/row-issues.ts'
import { mostAnswered, tooLongToAnswer } from '../../showing/answer-size.ts'
import { mapInTurns } from '../../showing/map-in-turns.ts'
import type { CellPatch } from '../../stored/cell-patch.ts'
import { findOversize, unitsOf } from '../../stored/cell-size.ts'
import type { CheckedRows, RecordWrite, ResolvedRows } from '../record-write.ts'

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
  const unique = schema.columns.filter(({ field }) => field.unique)
  if (unique.length > 0) await checkUnique(context.tx, unique, { ...resolved, rows, cells }, issues)
  issues.throwIfAny()
  return { ...resolved, rows, cells }
}

const noCells: CellPatch = []

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
    const row = rows[index] ?? noCells
    const before = existing.length === 0 ? noCells : entered(existing[index]?.cells ?? noCells)
    const oversize = findOversize({ cells, row, before }, units)
    if (oversize) issues.add(index, schema.columns[oversize.index ?? -1], oversize.message)
  })
}

/** A value is free when no record has it that keeps it, and one row of the request alone asks for it. */
async function checkUnique(
  tx: ReadTx,
  unique: readonly ColumnField[],
  { loaded: { schema }, rows, existing }: CheckedRows,
  issues: RowIssues,
): Promise<void> {
  const rowById = new Map(existing.map(({ id }, row) => [id, row]))
  for (const schemaField of unique) {
    const { column } = schemaField
    const rowByValue = new Map<Cell, number>()
    rows.forEach((row, index) => {
      const value = row[column.index]
      if (value === null || value === undefined) return
      if (rowByValue.has(value)) {
        issues.add(index, schemaField, 'must be unique: the request has the value twice')
      } else rowByValue.set(value, index)
    })
    const holders = await tx.records.findHolders(schema, column, [...rowByValue.keys()])
    for (const { recordId, value } of holders) {
      const row = rowByValue.get(value)
      // A record that gets another value in the same request, or none, hands its own on.
      const handsOn = rows[rowById.get(recordId) ?? -1]?.[column.index] !== undefined
      if (row === undefined || handsOn) continue
      issues.add(row, schemaField, 'must be unique: another record has this value')
    }
  }
}
