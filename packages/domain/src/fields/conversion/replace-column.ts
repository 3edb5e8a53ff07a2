import type { GraphTable } from '../../calculations/schema-graph.ts'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { byRange } from '../../records/by-range.ts'
import { isLarge } from '../../records/is-large.ts'
import type { WriteTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { Field } from '../field.ts'
import type { PhysicalColumn } from '../field-repository.ts'
import { dbFieldTypeOf, isComputed, valueTypeOf } from '../field-values.ts'
import { scheduleEmptying } from './empty-columns.ts'

/**
 * Gives the table a column without values: one that was retired and is empty, so that a table doesn't get
 * a column more by each conversion, or a new one. Throws validation_error where there is no room for it.
 */
export async function makeColumn(tx: WriteTx, table: Table, column: PhysicalColumn): Promise<void> {
  if (await tx.fields.reuseColumn(table, column)) return
  if ((await tx.fields.countColumns(table)) >= limits.columnsWithRetired) {
    const message = 'the table has no room for another column: duplicate it, the copy has room'
    throw invalidAt(['type'], message)
  }
  await tx.fields.addColumn(table, column)
}

/**
 * Gives a field whose values follow from others the column it needs: an empty one, unless what it has is
 * of the right kind, or none for a field that shows what every record has. Values of another kind must
 * not be there, not even until they are worked out anew.
 */
export async function replaceComputedColumn(
  context: TableContext,
  place: GraphTable,
  before: Field,
  after: Field,
): Promise<void> {
  const from = before.columnName
  if (from !== null && after.columnName !== null && isOfSameKind(before, after)) return
  if (from !== null) {
    await discardColumn(context, place, { name: from, type: dbFieldTypeOf(before) })
  }
  const name = from ?? after.columnName
  if (after.columnName === null || name === null) return
  await makeColumn(context.tx, place.table, { name, type: dbFieldTypeOf(after) })
}

/** Retires a column whose values nobody needs; where there are many, the background empties it. */
async function discardColumn(
  { tx, now }: TableContext,
  { table, schema }: GraphTable,
  column: PhysicalColumn,
): Promise<void> {
  const retired = await tx.fields.retireColumn(table, column)
  if (await isLarge(tx, schema)) {
    await scheduleEmptying(tx, table.id, now)
    return
  }
  await byRange(tx, schema, (range) => tx.records.emptyColumn(schema, retired, range))
  await tx.fields.noteEmptied(table.id, retired.name, undefined)
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
