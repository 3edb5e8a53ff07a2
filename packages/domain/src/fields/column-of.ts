import type { DbFieldType } from './column-type.ts'
import type { Field } from './field.ts'
import { dbFieldTypeOf } from './field-values.ts'

/** The physical column of the field; undefined for one that shows a system column. */
export function columnOf(
  field: Field,
): { readonly name: string; readonly type: DbFieldType } | undefined {
  const { columnName } = field
  return columnName === null ? undefined : { name: columnName, type: dbFieldTypeOf(field) }
}
