import { invalidAt } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { recordRanges } from '../../../records/reading/record-ranges.ts'
import { isLarge } from '../../../records/stored/is-large.ts'
import type { PhysicalColumn } from '../../../schemas/field-repository.ts'
import type { LoadedTable } from '../../../schemas/schema-graph.ts'
import type { WriteTx } from '../../../store.ts'
import { placeOfRecords, type Table } from '../../../tables/table.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { columnOf } from '../../column-of.ts'
import type { Field } from '../../field.ts'
import { dbFieldTypeOf, isComputed, valueTypeOf } from '../../field-values.ts'
import type { FieldChange } from '../field-change.ts'
import { scheduleEmptying } from './empty-columns.ts'
import { keepValues } from './keep-values.ts'

/**
 * Gives the table columns without values: such as were retired and are empty, so that a table doesn't get
 * a column more by each conversion, or new ones. Throws validation_error where there is no room for them.
 */
export async function makeColumns(
  tx: WriteTx,
  table: Table,
  columns: readonly PhysicalColumn[],
): Promise<void> {
  if (columns.length === 0) return
  const missing = await tx.fields.reuseColumns(table, columns)
  if (missing.length === 0) return
  if (
    (await tx.fields.countColumns(placeOfRecords(table))) + missing.length >
    limits.columnsWithRetired
  ) {
    const message =
      'the table has no room for another column: duplicate the table, the copy has room again'
    throw invalidAt(['type'], message)
  }
  for (const column of missing) await tx.fields.addColumn(table, column)
}

/**
 * Gives fields whose values follow from others the columns they need: empty ones, unless what they have is
 * of the right kind, or none for a field that shows what every record has. Values of another kind must
 * not be there, not even until they are computed again. With an id, that of what is kept, a single field is changed, and the
 * column that it had keeps its values.
 */
export async function replaceComputedColumns(
  context: TableContext,
  place: LoadedTable,
  changes: readonly FieldChange[],
  keptId?: string,
): Promise<void> {
  const replaced = changes.filter(({ before, after }) => !keepsColumn({ before, after }))
  const old = replaced.flatMap(({ before }) => columnOf(before) ?? [])
  const [{ before: kept } = {}] = keptId === undefined ? [] : replaced
  if (kept && keptId !== undefined)
    await keepColumn(context, place, old, { id: keptId, field: kept })
  else await discardColumns(context, place, old)
  const wanted = replaced.flatMap(({ before, after }): PhysicalColumn[] => {
    const name = before.columnName ?? after.columnName
    const isWanted = after.columnName !== null && name !== null
    return isWanted ? [{ name, type: dbFieldTypeOf(after) }] : []
  })
  await makeColumns(context.tx, place.table, wanted)
}

/** Retires a column that keeps its values; records that have one count as changed, where there are many in the background. */
async function keepColumn(
  context: TableContext,
  { table, schema }: LoadedTable,
  columns: readonly PhysicalColumn[],
  { id, field }: { readonly id: string; readonly field: Field },
): Promise<void> {
  const { tx, now } = context
  const isInBackground = await isLarge(tx, schema)
  for (const column of isInBackground ? [] : columns) {
    for await (const range of recordRanges(tx, schema))
      await tx.columns.touch(schema, column, range)
  }
  for (const { name: columnName } of await tx.fields.retireColumns(table, columns)) {
    const of = { tableId: table.id, fieldId: field.id }
    await keepValues(context, { id, ...of, columnName, ...(isInBackground && { counted: 0 }) })
  }
  if (isInBackground) await scheduleEmptying(tx, table.id, now)
}

/** Retires columns whose values nobody needs; where there are many, the background empties them. */
async function discardColumns(
  { tx, now }: TableContext,
  { table, schema }: LoadedTable,
  columns: readonly PhysicalColumn[],
): Promise<void> {
  if (columns.length === 0) return
  if (await isLarge(tx, schema)) {
    await tx.fields.retireColumns(table, columns)
    await scheduleEmptying(tx, table.id, now)
    return
  }
  // Emptied while they still have the names that the schema knows: once retired, it names what isn't there.
  let emptied: number | undefined
  let bytes = 0
  for await (const range of recordRanges(tx, schema)) {
    bytes += range.bytes
    if (bytes > limits.lengthRewrittenPerWrite) {
      emptied = range.after
      break
    }
    await tx.columns.empty(schema, columns, range)
  }
  const retired = await tx.fields.retireColumns(table, columns)
  const names = retired.map(({ name }) => name)
  await tx.fields.noteEmptied(table.id, names, emptied)
  if (emptied !== undefined) await scheduleEmptying(tx, table.id, now)
}

function keepsColumn({ before, after }: FieldChange): boolean {
  const hasOne = before.columnName !== null && after.columnName !== null
  const [old, next] = [valueTypeOf(before), valueTypeOf(after)]
  return (
    hasOne &&
    isComputed(before) &&
    before.type === after.type &&
    old.cellValueType === next.cellValueType &&
    old.isMultiple === next.isMultiple
  )
}
