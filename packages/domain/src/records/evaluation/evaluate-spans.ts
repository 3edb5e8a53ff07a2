import type { People } from '../../fields/cell.ts'
import type { Condition } from '../../queries/condition.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import { granularityLengths, toLocalText } from '../../values/dates/date-format.ts'
import { timeZone } from '../../values/dates/time-zone.ts'
import type { Calendar, FoundSpans, Span } from '../reading/record-finder.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { meetsCondition } from './meets-condition.ts'

/** The days of the records that a condition lets through, computed record by record: storages must find the same. */
export function evaluateSpans(
  records: readonly StoredRecord[],
  condition: Condition,
  { start, end, firstDay, lastDay, perDay }: Calendar,
  people: Pick<People, 'name'>,
): FoundSpans {
  const within = (day: string) => (day < firstDay ? firstDay : day > lastDay ? lastDay : day)
  const found = records
    .filter((record) => meetsCondition(condition, record, people))
    .flatMap((record) => {
      const from = dayOf(start, record)
      if (from === null) return []
      const last = dayOf(end, record)
      const to = last !== null && last > from ? last : from
      return [{ ...record, from: within(from), to: within(to) }]
    })
  const spans = new Map<string, Span>()
  for (const { from, to } of found) {
    const key = `${from} ${to}`
    spans.set(key, { from, to, records: (spans.get(key)?.records ?? 0) + 1 })
  }
  const inOrder = found.toSorted(
    (a, b) => compare(a.from, b.from) || compare(b.to, a.to) || a.autoNumber - b.autoNumber,
  )
  const shown = inOrder.filter(({ from }, index) => inOrder[index - perDay]?.from !== from)
  return { spans: [...spans.values()], ids: shown.map(({ id }) => id) }
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}

/** The day of a date by the clocks of its field, as `YYYY-MM-DD`. */
function dayOf(field: SchemaField, record: StoredRecord): string | null {
  const cell = cellOf(field, record)
  const { item } = field.rules.form
  if (cell === null || item.kind !== 'date') return null
  const zone = timeZone(item.formatting.timeZone)
  return toLocalText(cell as string, zone).slice(0, granularityLengths.day)
}
