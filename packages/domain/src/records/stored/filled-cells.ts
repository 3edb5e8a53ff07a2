import type { Cell } from '../../fields/cell.ts'
import type { ColumnField } from '../../schemas/table-schema.ts'
import type { FilledCell } from '../../undo/undo-step.ts'
import type { StoredRecord } from './stored-record.ts'

/** The cells of a record that are not empty, of the fields given: of linked records their ids alone. */
export function filledCells(
  fields: readonly ColumnField[],
  { cells }: Pick<StoredRecord, 'cells'>,
): readonly FilledCell[] {
  return fields.flatMap((schemaField) => {
    const cell = writtenCell(schemaField, cells[schemaField.column.index] ?? null)
    return cell === null ? [] : [[schemaField.field.id, cell] as const]
  })
}

/** What callers have written into a cell: of linked records their ids, as the titles are those of the moment. */
export function writtenCell({ link }: ColumnField, cell: Cell | null): unknown {
  if (!link || cell === null) return cell
  return Array.isArray(cell) ? cell.map(toId) : toId(cell)
}

function toId(item: unknown): unknown {
  const { id } = item as { readonly id?: unknown }
  return id === undefined ? item : { id }
}
