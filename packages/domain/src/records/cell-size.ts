import type { Cell } from '../fields/cell.ts'
import { limits } from '../limits.ts'
import { utf8Length } from './utf8-length.ts'

/** Why cells are too large, undefined when they are not. `index` is the cell at fault, if it is one. */
export interface Oversize {
  readonly index: number | undefined
  readonly message: string
}

/** Checks the size of each cell and of the record. Counts bytes only where characters may be too many. */
export function findOversize(cells: readonly (Cell | null | undefined)[]): Oversize | undefined {
  let units = 0
  for (const cell of cells) {
    if (typeof cell === 'string') units += cell.length
    else if (typeof cell === 'object' && cell !== null) units += JSON.stringify(cell).length
  }
  // A character takes three bytes per UTF-16 unit at most.
  if (units * 3 <= limits.cellBytes) return undefined
  let total = 0
  for (const [index, cell] of cells.entries()) {
    const bytes = sizeOf(cell)
    if (bytes > limits.cellBytes) {
      return { index, message: `must take at most ${limits.cellBytes} bytes, takes ${bytes}` }
    }
    total += bytes
  }
  if (total <= limits.recordBytes) return undefined
  const message = `the record's cells must take at most ${limits.recordBytes} bytes, take ${total}`
  return { index: undefined, message }
}

function sizeOf(cell: Cell | null | undefined): number {
  if (typeof cell === 'string') return utf8Length(cell)
  if (typeof cell === 'object' && cell !== null) return utf8Length(JSON.stringify(cell))
  return 0
}
