import type { SchemaField } from '../fields/table-schema.ts'
import { dependencyOrder } from './dependency-order.ts'

/** The fields, each after those of them that it depends on in the same record. */
export function orderFields(fields: readonly SchemaField[]): readonly SchemaField[] {
  const byId = new Map(fields.map((field) => [field.field.id, field]))
  return dependencyOrder(fields, ({ computation }) =>
    (computation?.ownFieldIds ?? []).flatMap((id) => byId.get(id) ?? []),
  )
}
