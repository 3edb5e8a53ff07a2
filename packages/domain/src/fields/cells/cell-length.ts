import type { Cell } from '../cell.ts'

/** Characters, roughly, that a cell or an item of one takes. Texts are counted, other values are short. */
export function cellLength(cell: Cell): number {
  if (typeof cell === 'string') return cell.length
  return typeof cell === 'object' ? JSON.stringify(cell).length : shortLength
}

/** Characters of a number or a truth value, and what stands between two values. */
const shortLength = 10
