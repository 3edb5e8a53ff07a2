import type { Cell } from '@gateleg/domain/fields/cell'
import type { DbFieldType } from '@gateleg/domain/fields/column-type'

/** Returns the cell as a value to bind: JSON as text, everything else unchanged. */
export function encodeCell(cell: Cell | null, type: DbFieldType): unknown {
  return cell !== null && type === 'JSON' ? JSON.stringify(cell) : cell
}

/** Returns the cell from a value that was read. */
export function decodeCell(value: unknown, type: DbFieldType): Cell | null {
  if (value === null || value === undefined) return null
  if (type === 'JSON') return JSON.parse(value as string) as Cell
  if (type === 'BOOLEAN') return Boolean(value)
  return value as Cell
}
