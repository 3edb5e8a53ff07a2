import { invalidAt } from '../../errors.ts'
import type { FieldScope } from './field-guard.ts'

/** Refuses a name that another field of the table has. */
export function requireFree(
  { schema, field }: FieldScope,
  member: 'name' | 'dbFieldName',
  value: string,
): void {
  const holder = schema.byKey[member].get(value)?.field
  if (holder && holder.id !== field.id) {
    throw invalidAt([member], `"${value}" already exists in this table`)
  }
}
