import type { CellForm } from '../fields/cell-form.ts'
import { monthsBetween } from '../values/dates/civil-time.ts'
import { dayMs } from '../values/dates/time-zone.ts'

/** What can be computed from the cells of a field over many records. */
export const statisticNames = [
  'count',
  'empty',
  'filled',
  'unique',
  'percentEmpty',
  'percentFilled',
  'percentUnique',
  'sum',
  'average',
  'min',
  'max',
  'checked',
  'unChecked',
  'percentChecked',
  'percentUnChecked',
  'earliestDate',
  'latestDate',
  'dateRangeOfDays',
  'dateRangeOfMonths',
  'totalAttachmentSize',
] as const

/** The name of a statistic. */
export type StatisticName = (typeof statisticNames)[number]

const common = ['count', 'empty', 'filled', 'percentEmpty', 'percentFilled'] as const
const unique = ['unique', 'percentUnique'] as const

const byKind: Readonly<Record<CellForm['item']['kind'], readonly StatisticName[]>> = {
  text: [...common, ...unique],
  choice: [...common, ...unique],
  number: [...common, ...unique, 'sum', 'average', 'min', 'max'],
  date: [
    ...common,
    ...unique,
    'earliestDate',
    'latestDate',
    'dateRangeOfDays',
    'dateRangeOfMonths',
  ],
  boolean: ['count', 'checked', 'unChecked', 'percentChecked', 'percentUnChecked'],
  user: [...common, ...unique],
  link: common,
  file: [...common, 'totalAttachmentSize'],
  press: common,
}

/** The statistics that cells of the form have: how many different ones there are isn't told of lists of users. */
export function statisticsOf({ item: { kind }, isList }: CellForm): readonly StatisticName[] {
  return kind === 'user' && isList ? common : byKind[kind]
}

/** What is measured in one pass over the records: statistics follow from it. */
export type MeasureKind =
  | 'filled'
  | 'unique'
  | 'sum'
  | 'items'
  | 'least'
  | 'greatest'
  | 'checked'
  | 'bytes'

const measuresByStatistic: Readonly<Record<StatisticName, readonly MeasureKind[]>> = {
  count: [],
  empty: ['filled'],
  filled: ['filled'],
  unique: ['unique'],
  percentEmpty: ['filled'],
  percentFilled: ['filled'],
  percentUnique: ['unique', 'items', 'filled'],
  sum: ['sum'],
  average: ['sum', 'items'],
  min: ['least'],
  max: ['greatest'],
  checked: ['checked'],
  unChecked: ['checked'],
  percentChecked: ['checked'],
  percentUnChecked: ['checked'],
  earliestDate: ['least'],
  latestDate: ['greatest'],
  dateRangeOfDays: ['least', 'greatest'],
  dateRangeOfMonths: ['least', 'greatest'],
  totalAttachmentSize: ['bytes'],
}

/** What has to be measured for a statistic, beside how many records there are. */
export function measuresOf(statistic: StatisticName): readonly MeasureKind[] {
  return measuresByStatistic[statistic]
}

/** A measure of cells: a number, the text of a moment, null where there is nothing to measure. */
export type Measured = number | string | null

/** A statistic of so many records, from what was measured of their cells. */
export function statisticFrom(
  statistic: StatisticName,
  records: number,
  measured: Readonly<Partial<Record<MeasureKind, Measured>>>,
): Measured {
  const number = (kind: MeasureKind) => Number(measured[kind] ?? 0)
  const percent = (part: number, whole = records) =>
    whole === 0 ? 0 : rounded((part * 100) / whole)
  switch (statistic) {
    case 'count':
      return records
    case 'empty':
      return records - number('filled')
    case 'filled':
      return number('filled')
    case 'unique':
      return number('unique')
    case 'percentEmpty':
      return percent(records - number('filled'))
    case 'percentFilled':
      return percent(number('filled'))
    case 'percentUnique':
      // Each item of a list counts, and an empty cell as one.
      return percent(number('unique'), number('items') + records - number('filled'))
    case 'sum':
      return measured.sum == null ? null : rounded(number('sum'))
    case 'average':
      return measured.sum == null ? null : rounded(number('sum') / number('items'))
    case 'min':
    case 'earliestDate':
      return measured.least ?? null
    case 'max':
    case 'latestDate':
      return measured.greatest ?? null
    case 'checked':
      return number('checked')
    case 'unChecked':
      return records - number('checked')
    case 'percentChecked':
      return percent(number('checked'))
    case 'percentUnChecked':
      return percent(records - number('checked'))
    case 'dateRangeOfDays':
      return rangeOf(measured, daysBetween)
    case 'dateRangeOfMonths':
      return rangeOf(measured, (from, to) => monthsBetween(to.getTime(), from.getTime()))
    case 'totalAttachmentSize':
      return number('bytes')
  }
}

/** Digits that a double always holds: beyond them sums depend on the order in which they are made. */
const digits = 15

function rounded(value: number): number {
  return Number(value.toPrecision(digits))
}

function rangeOf(
  { least, greatest }: Readonly<Partial<Record<MeasureKind, Measured>>>,
  between: (from: Date, to: Date) => number,
): number | null {
  if (typeof least !== 'string' || typeof greatest !== 'string') return null
  return between(new Date(least), new Date(greatest))
}

function daysBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / dayMs)
}
