import type { Timestamp } from '../../clock.ts'
import { compareDates, dateFormat } from '../../values/dates/date-format.ts'
import type { DateFormatting } from '../../values/dates/date-formatting.ts'
import { timestampFromIso, timestampFromText } from '../../values/dates/date-text.ts'
import { timeZone, zoneNear } from '../../values/dates/time-zone.ts'
import { toText } from '../../values/text.ts'
import { type CellRules, Refusal } from '../cell.ts'

const refusal = new Refusal(
  'must be a date in ISO 8601, like "2024-03-05", "2024-03-05 10:20" or "2024-03-05T10:20:30Z", or null',
)

/** The rules for cells that hold a moment. */
export function dateCells(formatting: DateFormatting): CellRules<Timestamp> {
  const zone = timeZone(formatting.timeZone)
  return {
    form: { item: { kind: 'date', formatting }, isList: false },
    parse: (value) => {
      if (value === null) return null
      return (typeof value === 'string' ? timestampFromIso(value, zone) : undefined) ?? refusal
    },
    cast: (value, { now, held }) => {
      const text = toText(value)
      if (now !== undefined && text.trim().toLowerCase() === 'now') return now
      const near = typeof held === 'string' ? zoneNear(zone, Date.parse(held)) : zone
      return timestampFromText(text, formatting.date, near) ?? null
    },
    format: dateFormat(formatting),
    compare: compareDates(formatting),
  }
}
