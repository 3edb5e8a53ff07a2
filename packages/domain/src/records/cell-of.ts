import type { Cell } from '../fields/field-type.ts'
import type { SchemaField } from '../fields/table-schema.ts'
import type { StoredRecord } from './stored-record.ts'

/** The cell of a record in a field; null when it is empty, as those of a broken field are. */
export function cellOf(
  { field, column, systemColumn }: SchemaField,
  record: StoredRecord,
): Cell | null {
  if (field.hasError) return null
  if (column) return record.cells[column.index] ?? null
  return systemColumn ? record[systemColumn] : null
}
