import type { SchemaField } from '../fields/table-schema.ts'

/** The fields, each after those of them that it depends on in the same record. */
export function orderFields(fields: readonly SchemaField[]): readonly SchemaField[] {
  const byId = new Map(fields.map((field) => [field.field.id, field]))
  const ordered = new Set<SchemaField>()
  const visit = (field: SchemaField) => {
    if (ordered.has(field) || !byId.delete(field.field.id)) return
    for (const id of field.computation?.ownFieldIds ?? []) {
      const own = byId.get(id)
      if (own) visit(own)
    }
    ordered.add(field)
  }
  for (const field of fields) visit(field)
  return [...ordered]
}
