import type { Cell } from '../fields/cell.ts'
import { limits } from '../limits.ts'
import { isSameCell } from '../records/stored/is-same-cell.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { ColumnField, TableSchema } from '../schemas/table-schema.ts'
import type { CellChange } from './history-entry.ts'

type Cells = StoredRecord['cells']

/** The fields of a table whose changes are noted: those whose cells callers write. */
export function notedFields(schema: TableSchema): readonly ColumnField[] {
  return schema.columns.filter(({ isWritable }) => isWritable)
}

/** What differs between two states of a record, cell by cell, as far as there is room for it. */
export function toCellChanges(
  fields: readonly ColumnField[],
  before: Cells,
  after: Cells,
): readonly CellChange[] {
  const changes: CellChange[] = []
  for (const { field, values, column } of fields) {
    const [old, now] = [before[column.index] ?? null, after[column.index] ?? null]
    if (isSameCell(old, now)) continue
    const { id: fieldId, name, type } = field
    changes.push({
      fieldId,
      name,
      type,
      cellValueType: values.cellValueType,
      before: old,
      after: now,
    })
  }
  if (areSurelyShort(changes) || lengthOf(changes) <= limits.historyLength) return changes
  const most = Math.floor(limits.historyLength / (2 * changes.length))
  return changes.map((change) => cut(change, most))
}

/** Whether the changes are shorter than there is room, told without writing them: most have only a few short texts and numbers. */
function areSurelyShort(changes: readonly CellChange[]): boolean {
  let most = 0
  for (const { name, before, after } of changes) {
    most += lengthAround + mostLengthOf(name) + mostLengthOf(before) + mostLengthOf(after)
  }
  return most <= limits.historyLength
}

/** Characters that a change has beside the name of its field and its cells, at most. */
const lengthAround = 200

/** Characters that JSON writes for a number, for null, for true and false, at most. */
const mostPerNumber = 25

/** Characters that JSON writes for a value, at most. */
function mostLengthOf(value: Cell | null): number {
  if (typeof value === 'string') return mostPerCharacter * value.length + 2
  return typeof value === 'object' && value !== null ? lengthOf(value) : mostPerNumber
}

function cut(change: CellChange, most: number): CellChange {
  const before = cutCell(change.before, most)
  const after = cutCell(change.after, most)
  const cutOff = (['before', 'after'] as const).filter(
    (state) => change[state] !== { before, after }[state],
  )
  return { ...change, before, after, ...(cutOff.length > 0 && { cut: cutOff }) }
}

/** The beginning of a cell that is too long: of a text its first characters, of a list its first items. */
function cutCell(cell: Cell | null, most: number): Cell | null {
  if (cell === null || lengthOf(cell) <= most) return cell
  if (typeof cell === 'string')
    return cell.slice(0, Math.floor(most / mostPerCharacter)).toWellFormed()
  if (!Array.isArray(cell)) return null
  let length = 0
  let count = 0
  for (const item of cell) {
    length += lengthOf(item)
    if (length > most) break
    count++
  }
  return cell.slice(0, count)
}

/** Characters that JSON writes for one of a text, at most. */
const mostPerCharacter = 6

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length
}
