import type { Cell } from '../../fields/cell.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import type { StoredRecord } from './stored-record.ts'

/** The cell of a record in a field; null when it is empty, as those of a broken field are. */
export function cellOf(
  { field, column, systemColumn }: SchemaField,
  record: StoredRecord,
): Cell | null {
  if (field.hasError) return null
  if (column) return record.cells[column.index] ?? null
  if (!systemColumn) return null
  // What a record tells of its last change is that of its creation until there is one; a cell is empty.
  if (systemColumn === 'lastModifiedTime' && record.lastModifiedBy === null) return null
  return record[systemColumn]
}
