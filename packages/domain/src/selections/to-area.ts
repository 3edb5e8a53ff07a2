import { invalidAt } from '../errors.ts'
import type { NumberPair, RangeType } from './selection-shape.ts'

/** From a number to another one, both included. */
export interface Span {
  readonly first: number
  readonly last: number
}

/** Where a selection lies in what is shown. Absent: all columns, or all rows. */
export interface Area {
  readonly columns?: readonly Span[]
  readonly rows?: readonly Span[]
}

/** Says which columns and rows the ranges mean. Throws validation_error for what isn't from a first to a last one. */
export function toArea(ranges: readonly NumberPair[], type: RangeType | undefined): Area {
  if (type === 'columns') return { columns: united(ranges) }
  if (type === 'rows') return { rows: united(ranges) }
  const [from, to, ...more] = ranges
  if (!from || !to || more.length > 0) {
    throw invalidAt(['ranges'], 'must be two cells, the first and the last, or have a type')
  }
  for (const [index, what] of ['column', 'row'].entries()) {
    if ((from[index] ?? 0) <= (to[index] ?? 0)) continue
    throw invalidAt(['ranges', 1, index], `must be no smaller than the ${what} of the first cell`)
  }
  return {
    columns: [{ first: from[0], last: to[0] }],
    rows: [{ first: from[1], last: to[1] }],
  }
}

/** The ranges in their order, those that overlap or touch as one. */
function united(ranges: readonly NumberPair[]): readonly Span[] {
  const backwards = ranges.findIndex(([first, last]) => first > last)
  if (backwards !== -1)
    throw invalidAt(['ranges', backwards, 1], 'must be no smaller than the first')
  const spans: Span[] = []
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = spans.at(-1)
    if (!before || first > before.last + 1) spans.push({ first, last })
    else spans[spans.length - 1] = { first: before.first, last: Math.max(before.last, last) }
  }
  return spans
}

/** From the first to the last of all spans. */
export function wholeOf(spans: readonly Span[]): Span {
  return { first: spans[0]?.first ?? 0, last: spans.at(-1)?.last ?? 0 }
}

/** The items that lie in the spans; `first` is the number of the first item. */
export function pickWithin<Item>(
  items: readonly Item[],
  spans: readonly Span[],
  start = 0,
): readonly Item[] {
  return spans.flatMap(({ first, last }) => items.slice(first - start, last - start + 1))
}
