import { dependencyOrder } from '../../schemas/dependency-order.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'

/** The fields, each after those of them that it depends on in the same record. */
export function orderFields(fields: readonly SchemaField[]): readonly SchemaField[] {
  const byId = new Map(fields.map((field) => [field.field.id, field]))
  return dependencyOrder(fields, ({ computation }) =>
    (computation?.ownFieldIds ?? []).flatMap((id) => byId.get(id) ?? []),
  )
}
