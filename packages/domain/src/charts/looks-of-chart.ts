import { looksAtLong, mayBeLong } from '../queries/condition.ts'
import { MeasuredStatistics } from '../records/query/measured-statistics.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import { fieldKeysOf } from './chart-order.ts'
import { type ChartQuery, isSummary } from './chart-query.ts'

/**
 * Looks that it counts as to make another text of a cell: one that is folded to be searched, and for a group of a list its
 * items put together. Both take some times as long per byte as all else.
 */
const looksOfMaking = 3

/** How often a chart looks at the cells of each field of each row, where these may be long. */
export function looksOfChart(query: ChartQuery): ReadonlyMap<SchemaField, number> {
  const looks = new Map(looksAtLong(query.condition, looksOfMaking))
  const look = (field: SchemaField, times = 1) => {
    if (mayBeLong(field)) looks.set(field, (looks.get(field) ?? 0) + times)
  }
  for (const { inRow } of query.groupBy) look(inRow, inRow.rules.form.isList ? looksOfMaking : 1)
  for (const { field } of measuresOf(query).measures) look(field)
  // Groups are put in order by their first records.
  if (!isSummary(query)) for (const { field } of fieldKeysOf(query)) look(field)
  return looks
}

/** What has to be measured of the rows for the statistics of a chart. */
export function measuresOf({ statistics }: ChartQuery): MeasuredStatistics {
  return new MeasuredStatistics(
    statistics.map(({ field, statistic }) => ({ field: field.inRow, statistic })),
  )
}
