import type { SortKey } from '../queries/sort-keys.ts'
import type { SortValue } from '../queries/sort-value.ts'
import { compareCodePoints } from '../values/text.ts'
import { type ChartOrder, type ChartQuery, isSummary } from './chart-query.ts'

/** What a row of the answer is ordered by. */
export interface OrderedRow {
  /** For each field that orders rows, in turn, its values: see `sortValuesOf`. */
  readonly fields: readonly (readonly SortValue[])[]
  readonly statistics: readonly SortValue[]
  /** The numbers of its first records, by which those are ordered that are alike. */
  readonly numbers: readonly (number | null)[]
}

/** The fields that order rows, in turn; those of a summary as groups are ordered by them. */
export function fieldKeysOf(query: ChartQuery): readonly SortKey[] {
  const isGroup = isSummary(query)
  return query.order.flatMap((item) =>
    'field' in item ? [{ field: item.field.inRow, isDescending: item.isDescending, isGroup }] : [],
  )
}

/** Orders rows: empty values first upwards and last downwards; those that are alike by their numbers. */
export function compareRows(
  order: readonly ChartOrder[],
): (a: OrderedRow, b: OrderedRow) => number {
  return (a, b) => {
    let field = 0
    for (const item of order) {
      const place = 'field' in item ? field++ : -1
      const compared =
        'field' in item
          ? compareEach(a.fields[place] ?? [], b.fields[place] ?? [])
          : compareValues(a.statistics[item.statistic], b.statistics[item.statistic])
      if (compared !== 0) return item.isDescending ? -compared : compared
    }
    return compareEach(a.numbers, b.numbers)
  }
}

function compareEach(a: readonly SortValue[], b: readonly SortValue[]): number {
  for (const [index, value] of a.entries()) {
    const compared = compareValues(value, b[index])
    if (compared !== 0) return compared
  }
  return 0
}

function compareValues(a: SortValue = null, b: SortValue = null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return compareCodePoints(a, b)
}
