import type { Cell } from '@gateleg/domain/fields/cell'
import type { DbFieldType } from '@gateleg/domain/fields/column-type'
import type { Column } from '@gateleg/domain/schemas/table-schema'

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

/**
 * Turns values of rows that are read together into cells. Rows that hold the same JSON one after another share one
 * cell, such as all records that are linked to one: it is parsed once, and what follows from it can be shared as well.
 */
export class CellReader {
  /** By the index of the column. */
  readonly #last: { readonly json: string; readonly cell: Cell }[] = []

  read(value: unknown, { index, type }: Pick<Column, 'index' | 'type'>): Cell | null {
    if (type !== 'JSON' || typeof value !== 'string') return decodeCell(value, type)
    const last = this.#last[index]
    if (last?.json === value) return last.cell
    const cell = JSON.parse(value) as Cell
    this.#last[index] = { json: value, cell }
    return cell
  }
}
