import { DomainError } from '../errors.ts'
import type { Table } from '../tables/table.ts'
import type { TableContext } from '../tables/table-context.ts'
import type { Field } from './field.ts'

/** Moves fields of a table that is held to its trash, with their values, as one operation. */
export async function markFieldsDeleted(
  { tx, table, userId, now, ids }: TableContext & { readonly table: Table },
  fields: readonly Field[],
): Promise<void> {
  const primary = fields.find(({ isPrimary }) => isPrimary)
  if (primary) {
    throw new DomainError(
      'restricted_resource',
      `"${primary.name}" is the primary field, which stays`,
    )
  }
  const deletion = { operationId: ids.next('operation'), time: now, userId }
  await tx.fields.markDeleted(table, fields, deletion)
  await tx.tables.changeSchema(table.id, ids.revision(), now)
  for (const { id } of fields) {
    const payload = { tableId: table.id, fieldId: id }
    tx.emit({ name: 'field.deleted', time: now, userId, payload })
  }
}
