import type { Cell } from '../../fields/cell.ts'

/** Whether two cells hold the same: lists item by item, objects member by member in whatever order. */
export function isSameCell(a: Cell | null, b: Cell | null): boolean {
  return isSame(a, b)
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => isSame(item, b[index]))
  }
  const members = Object.entries(a)
  if (members.length !== Object.keys(b).length) return false
  return members.every(([key, value]) => Object.hasOwn(b, key) && isSame(value, b[key as never]))
}
