import type { Measured, StatisticName } from '../queries/statistics.ts'
import type { CellFormat } from '../records/showing/record-output.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import { localFormat, toLocalText } from '../values/dates/date-format.ts'
import { timeZone } from '../values/dates/time-zone.ts'
import { formatNumber } from '../values/number-format.ts'

/** The statistics that are such as the cells of their field are. */
const likeCells: ReadonlySet<StatisticName> = new Set([
  'sum',
  'average',
  'min',
  'max',
  'earliestDate',
  'latestDate',
])

/** A statistic of a field as it is shown; as text like the cells of the field, parts as percentages. */
export function showStatistic(
  { rules: { form } }: SchemaField,
  statistic: StatisticName,
  value: Measured,
  cellFormat: CellFormat,
): Measured {
  if (value === null || cellFormat === 'json') return value
  const { item } = form
  if (likeCells.has(statistic)) {
    if (item.kind === 'number' && item.formatting)
      return formatNumber(Number(value), item.formatting)
    if (item.kind === 'date') {
      const local = toLocalText(String(value), timeZone(item.formatting.timeZone))
      return localFormat(item.formatting)(local)
    }
  }
  return statistic.startsWith('percent') ? `${value}%` : String(value)
}
