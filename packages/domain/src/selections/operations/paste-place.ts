import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { becomeLongIfMany } from '../../records/reading/become-long-if-many.ts'
import type { ReadTx } from '../../store.ts'
import { findRows, type ShownTable } from '../find-selection.ts'
import { extentOf, type PastedContent } from '../pasted-content.ts'
import type { Span } from '../to-area.ts'

/** Where content goes that is pasted, counted in what is shown. */
interface PastePlace {
  readonly firstColumn: number
  /** Columns, those among them that are to be added. */
  readonly width: number
  readonly firstRow: number
  /** Rows, those among them that are to be added. */
  readonly height: number
  /** The records of the rows that there are, from the first one on. */
  readonly recordIds: readonly string[]
}

/**
 * Where the content goes: into the range, as often as it fits in each direction, else as far as it reaches from the first
 * cell. Throws validation_error for a range of which nothing is shown, unless it is the one row or column right behind the
 * last one, and for more than may be pasted.
 */
export async function findPastePlace(
  tx: ReadTx,
  shown: ShownTable,
  content: PastedContent,
): Promise<PastePlace> {
  const columns = pasteColumns(shown, content)
  await becomeLongIfMany(tx, shown.schema, shown.query.condition)
  const { range, height, recordIds, count } = await findPastedRows(tx, shown, content)
  requireStartWithin(range, count, 'row')
  requirePasteRoom(columns.width, height)
  return {
    ...columns,
    firstRow: range.first,
    height,
    recordIds: recordIds.slice(0, height),
  }
}

/** The columns that the content goes into. Throws as `findPastePlace` does. */
export function pasteColumns(
  { columns, area }: ShownTable,
  content: PastedContent,
): Pick<PastePlace, 'firstColumn' | 'width'> {
  const range = onlyRange(area.columns) ?? { first: 0, last: Math.max(0, columns.length - 1) }
  requireStartWithin(range, columns.length, 'column')
  return { firstColumn: range.first, width: extentOf(content.width, lengthOf(range)) }
}

/** The records of the rows that are pasted into, or selected; `count` says how many there are where they end there. */
async function findPastedRows(tx: ReadTx, shown: ShownTable, content: PastedContent) {
  const { schema, query, area } = shown
  const counted = area.rows ? undefined : await tx.recordFinder.count(schema, query.condition)
  const range = onlyRange(area.rows) ?? { first: 0, last: Math.max(1, counted ?? 0) - 1 }
  const height = extentOf(content.rows.length, lengthOf(range))
  requirePasteRoom(1, height)
  const recordIds = await findRows(tx, shown, range.first, height)
  if (counted !== undefined) return { range, height, recordIds, count: counted }
  if (recordIds.length === height && height >= lengthOf(range)) {
    return { range, height, recordIds, count: range.first + height }
  }
  // Past the last row nothing is found that tells how many there are.
  const count = await tx.recordFinder.count(schema, query.condition)
  return { range, height, recordIds, count }
}

/** Throws validation_error for more than may be pasted. */
export function requirePasteRoom(width: number, height: number): void {
  if (height > limits.selectedRows) {
    throw invalidAt(['ranges'], `must be ${limits.selectedRows} rows at most to paste into`)
  }
  if (width * height > limits.selectedCells) {
    throw invalidAt(['ranges'], `must be ${limits.selectedCells} cells at most to paste into`)
  }
}

function lengthOf({ first, last }: Span): number {
  return last - first + 1
}

/** The range of columns or rows that is pasted into. Throws validation_error for more than one. */
export function onlyRange(spans: readonly Span[] | undefined): Span | undefined {
  if (spans && spans.length > 1) throw invalidAt(['ranges'], 'must be one range to paste into')
  return spans?.[0]
}

/** A range lies in what is shown, or is the one place behind the last. */
function requireStartWithin({ first, last }: Span, count: number, what: 'row' | 'column'): void {
  if (last < Math.max(count, first + 1) && first <= count) return
  const lies = `must lie within the ${count} ${what}s that are shown, counted from 0`
  throw invalidAt(['ranges'], `${lies}, or be the ${what} right after them`)
}
