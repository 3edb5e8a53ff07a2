import type { WriteTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import type { Field } from '../field.ts'
import { dbFieldTypeOf, isComputed, valueTypeOf } from '../field-values.ts'

/** The name of a column while it takes another one's place. */
export function temporaryColumnName({ id }: Pick<Field, 'id'>): string {
  return `__new_${id}`
}

/**
 * Gives a field whose values follow from others the column it needs: an empty one, unless what it has is
 * of the right kind, or none for a field that shows what every record has. Values of another kind must
 * not be there, not even until they are worked out anew.
 */
export async function replaceComputedColumn(
  tx: WriteTx,
  table: Table,
  before: Field,
  after: Field,
): Promise<void> {
  const from = before.columnName
  const type = dbFieldTypeOf(after)
  if (from !== null && after.columnName !== null && isOfSameKind(before, after)) return
  if (from !== null) await tx.fields.dropColumn(table, from)
  const name = from ?? after.columnName
  if (after.columnName !== null && name !== null) await tx.fields.addColumn(table, { name, type })
}

function isOfSameKind(before: Field, after: Field): boolean {
  const [old, next] = [valueTypeOf(before), valueTypeOf(after)]
  return (
    isComputed(before) &&
    before.type === after.type &&
    old.cellValueType === next.cellValueType &&
    old.isMultiple === next.isMultiple
  )
}
