import type { WriteTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import type { Field } from '../field.ts'
import { dbFieldTypeOf, isComputed } from '../field-values.ts'

/** The name of a column while it takes another one's place. */
export function temporaryColumnName({ id }: Pick<Field, 'id'>): string {
  return `__new_${id}`
}

/**
 * Gives a field whose values follow from others the column it needs: an empty one, unless it has one of
 * the right type, or none for a field that shows what every record has.
 */
export async function replaceComputedColumn(
  tx: WriteTx,
  table: Table,
  before: Field,
  after: Field,
): Promise<void> {
  const from = before.columnName
  const type = dbFieldTypeOf(after)
  const isOfType = after.columnName !== null && dbFieldTypeOf(before) === type
  if (from !== null && isOfType && isComputed(before)) return
  if (from !== null) await tx.fields.dropColumn(table, from)
  const name = from ?? after.columnName
  if (after.columnName !== null && name !== null) await tx.fields.addColumn(table, { name, type })
}
