import type { Cell } from '../../fields/cell.ts'

/** Characters of cells from which on their JSON takes so long to make that others should have their turn. */
const longOutputLength = 128 * 1024

/** Characters that an item of a list counts for which is no text, such as a link. */
const itemLength = 50

const longOutputs = new WeakSet<object>()

/** Notes that the values of a record, as callers see them, hold so many characters, where they are many. */
export function noteLength(fields: object, length: number): void {
  if (length >= longOutputLength) longOutputs.add(fields)
}

/** Whether an answered value is a record of many characters, as noted before, without looking at its values again. */
export function isLongOutput(output: unknown): boolean {
  if (typeof output !== 'object' || output === null || !('fields' in output)) return false
  const { fields } = output
  return typeof fields === 'object' && fields !== null && longOutputs.has(fields)
}

/** The approximate number of characters of a cell. */
export function lengthOfCell(cell: Cell): number {
  if (typeof cell === 'string') return cell.length
  if (!Array.isArray(cell)) return 0
  let length = 0
  for (const item of cell) length += typeof item === 'string' ? item.length : itemLength
  return length
}
