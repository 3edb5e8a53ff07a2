import { type DomainError, invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import { findInOrder } from '../records/pages/find-in-order.ts'
import {
  type AskedContext,
  type AskedInput,
  type AskedQuery,
  findAskedQuery,
} from '../records/query/find-asked-query.ts'
import { becomeLongIfMany } from '../records/reading/become-long-if-many.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import type { NumberPair, RangeType } from './selection-shape.ts'
import { shownColumns } from './shown-columns.ts'
import { type Area, pickWithin, type Span, toArea, wholeOf } from './to-area.ts'

/** What a caller says of a selection. */
type SelectionInput = AskedInput &
  Parameters<typeof shownColumns>[2] & {
    readonly ranges: readonly NumberPair[]
    readonly type?: RangeType | undefined
  }

/** What is shown, of which a selection is a part. */
export interface ShownTable extends AskedQuery {
  readonly columns: readonly SchemaField[]
  readonly area: Area
}

/** The cells that a selection means. */
export interface Selection {
  readonly schema: TableSchema
  /** In the order in which they are shown. */
  readonly columns: readonly SchemaField[]
  readonly recordIds: readonly string[]
}

/** What the caller asks to select from, and where. Throws as `findAskedQuery`, `shownColumns` and `toArea` do. */
export async function findShownTable(
  context: AskedContext,
  input: SelectionInput,
): Promise<ShownTable> {
  const area = toArea(input.ranges, input.type)
  const asked = await findAskedQuery(context, input)
  return { ...asked, columns: shownColumns(asked, context.only, input), area }
}

/**
 * The columns and the records that are selected, no more of these than `rowsMost`. Throws validation_error for more,
 * for more cells than `limits.selectedCells`, and for places that nothing is shown at.
 */
export async function findSelection(
  context: AskedContext,
  input: SelectionInput,
  rowsMost: number = limits.selectedRows,
): Promise<Selection> {
  const shown = await findShownTable(context, input)
  const columns = selectedColumns(shown)
  const recordIds = await selectedRecords(context.tx, shown, rowsMost)
  const cells = columns.length * recordIds.length
  const most = limits.selectedCells
  if (cells > most)
    throw invalidAt(['ranges'], `must select ${most} cells at most, and selects ${cells}`)
  return { schema: shown.schema, columns, recordIds }
}

/** The columns that are selected. Throws validation_error for places at which none is shown. */
export function selectedColumns({ columns, area }: ShownTable): readonly SchemaField[] {
  if (!area.columns) return columns
  requireWithin(area.columns, columns.length, 'columns')
  return pickWithin(columns, area.columns)
}

/** The records that are selected, by id. Throws validation_error for more than so many, and for places without any. */
export async function selectedRecords(
  tx: ReadTx,
  shown: ShownTable,
  rowsMost: number,
): Promise<readonly string[]> {
  const { schema, query, area } = shown
  const { first, last } = area.rows ? wholeOf(area.rows) : { first: 0, last: rowsMost }
  if (area.rows && last - first >= rowsMost) throw tooManyRows(rowsMost)
  await becomeLongIfMany(tx, schema, query.condition)
  const take = last - first + 1
  const ids = await findRows(tx, shown, first, take)
  if (!area.rows && ids.length > rowsMost) throw tooManyRows(rowsMost)
  if (area.rows && ids.length < take) {
    // Past the last row nothing is found that tells how many there are.
    const count = await tx.recordFinder.count(schema, query.condition)
    requireWithin(area.rows, count, 'rows')
  }
  return area.rows ? pickWithin(ids, area.rows, first) : ids
}

/** The records that stand from a place on, counted from 0, so many at most: by id, in the order of a list. */
export async function findRows(
  tx: ReadTx,
  { schema, query, inOrder }: ShownTable,
  skip: number,
  take: number,
): Promise<readonly string[]> {
  const found = inOrder
    ? (await findInOrder(tx, schema, query.condition, inOrder)).slice(skip, skip + take)
    : await tx.recordFinder.find(schema, query, { skip, take })
  return found.map(({ id }) => id)
}

function requireWithin(spans: readonly Span[], count: number, what: 'columns' | 'rows'): void {
  if (wholeOf(spans).last < count) return
  throw invalidAt(['ranges'], `must lie within the ${count} ${what} that are shown, counted from 0`)
}

function tooManyRows(most: number): DomainError {
  return invalidAt(['ranges'], `must be of ${most} rows at most, from the first to the last one`)
}
