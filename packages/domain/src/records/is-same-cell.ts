import type { Cell } from '../fields/field-type.ts'

/** Whether two cells hold the same, lists and objects member by member. */
export function isSameCell(a: Cell | null, b: Cell | null): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return JSON.stringify(a) === JSON.stringify(b)
}
