import type { Cell } from '../../fields/cell.ts'
import { limits } from '../../limits.ts'
import { bytesPerUnit, jsonBytes, jsonTextBytes } from '../../values/json/json-bytes.ts'

/** A record that is written; computed cells are undefined in each list. */
interface SizedRecord {
  /** The cells as they will be. */
  readonly cells: readonly SizedCell[]
  /** The cells that are written; undefined are those that stay. */
  readonly row: readonly SizedCell[]
  /** The cells as they are; none of a new record. */
  readonly before: readonly SizedCell[]
}

type SizedCell = Cell | null | undefined

/** Why cells are too large, undefined when they are not. `index` is the cell at fault, if it is one. */
interface Oversize {
  readonly index: number | undefined
  readonly message: string
}

/** The characters of the cells' texts, and of others as JSON. */
export function unitsOf(cells: readonly SizedCell[]): number {
  let units = 0
  for (const cell of cells) {
    if (typeof cell === 'string') units += cell.length
    else if (typeof cell === 'object' && cell !== null) units += JSON.stringify(cell).length
  }
  return units
}

/**
 * Checks the size of each cell that is written, and of the record, which has so many units. Counts bytes only
 * where characters may be too many. Cells may have become too large by other rules than today's: they stay, and
 * their record may be changed as long as it grows no further.
 */
export function findOversize(
  { cells, row, before }: SizedRecord,
  units: number,
): Oversize | undefined {
  if (units * bytesPerUnit <= limits.cellBytes) return undefined
  let total = 0
  for (const [index, cell] of cells.entries()) {
    const bytes = sizeOf(cell)
    if (bytes > limits.cellBytes && row[index] !== undefined) {
      return {
        index,
        message: `must take at most ${limits.cellBytes} bytes as JSON, takes ${bytes}`,
      }
    }
    total += bytes
  }
  if (total <= limits.recordBytes) return undefined
  let totalBefore = 0
  for (const cell of before) totalBefore += sizeOf(cell)
  if (total <= totalBefore) return undefined
  const most = limits.recordBytes
  const message = `the record's cells must take at most ${most} bytes as JSON, take ${total}`
  return { index: undefined, message }
}

/** Bytes of a cell as JSON, without the quotes of a text. */
export function sizeOf(cell: SizedCell): number {
  if (typeof cell === 'string') return jsonTextBytes(cell) - 2
  if (typeof cell === 'object' && cell !== null) return jsonBytes(cell)
  return 0
}
