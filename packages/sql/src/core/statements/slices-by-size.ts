import type { Cell } from '@gateleg/domain/fields/cell'
import { valueSize } from '../connection.ts'

/**
 * The items in their order, in slices that one statement can carry: each slice ends at about the given number of
 * characters, and has at least one item.
 */
export function* slicesBySize<T>(
  most: number,
  items: readonly T[],
  cellsOf: (item: T) => readonly (Cell | null)[],
): Generator<readonly T[]> {
  let start = 0
  let size = 0
  let index = 0
  const measure = cellsMeasure()
  for (const item of items) {
    const next = measure(cellsOf(item))
    if (size + next > most && index > start) {
      yield items.slice(start, index)
      start = index
      size = 0
    }
    size += next
    index++
  }
  if (start < items.length) yield start === 0 ? items : items.slice(start)
}

/** Measures cells of one item after another by `sizeOfCells`; items that share their cells are measured once. */
export function cellsMeasure(): (cells: readonly (Cell | null)[]) => number {
  let last: readonly (Cell | null)[] | undefined
  let size = 0
  return (cells) => {
    if (cells !== last) size = sizeOfCells(cells)
    last = cells
    return size
  }
}

/**
 * The characters in cells, roughly. Most cells are texts or no objects at all, and there are many: no function is
 * called for those.
 */
export function sizeOfCells(cells: readonly (Cell | null)[]): number {
  let size = valueSize
  for (const cell of cells) {
    if (typeof cell === 'string') size += cell.length
    else size += typeof cell === 'object' && cell !== null ? sizeOf(cell) : valueSize
  }
  return size
}

/** The characters in a value, roughly, whatever it consists of. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return valueSize
  let size = valueSize
  if (Array.isArray(value)) for (const member of value) size += sizeOf(member)
  else for (const key in value) size += sizeOf(value[key as keyof typeof value])
  return size
}
