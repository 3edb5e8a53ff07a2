import { type Issue, invalid, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Condition } from '../../queries/condition.ts'
import { countDays, dateWindow, dayNamed, throughEnd } from '../../queries/date-window.ts'
import { findField } from '../../queries/to-condition.ts'
import type { Calendar } from '../../records/reading/record-finder.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { DateFormatting } from '../../values/dates/date-formatting.ts'

interface CalendarInput {
  readonly fieldKeyType: FieldKeyType
  readonly startDate: string
  readonly endDate: string
  readonly startDateFieldId: string
  readonly endDateFieldId: string
}

/** The calendar that is asked for; validation_error for fields that have no dates, and for too many days. */
export function toCalendar(schema: TableSchema, input: CalendarInput): Calendar {
  const issues: Issue[] = []
  const fieldAt = (member: 'startDateFieldId' | 'endDateFieldId') => {
    const field = findField(input[member], { schema, fieldKeyType: input.fieldKeyType })
    if (field && formattingOf(field)) return field
    issues.push({ path: [member], message: 'must be the name or id of a field that holds dates' })
    return undefined
  }
  const [start, end] = [fieldAt('startDateFieldId'), fieldAt('endDateFieldId')]
  const formatting = start && formattingOf(start)
  if (!start || !end || !formatting) throw invalid(issues)
  const firstDay = dayNamed(input.startDate, formatting)
  const lastDay = dayNamed(input.endDate, formatting)
  const days = countDays(firstDay, lastDay)
  if (days === 0 || days > limits.calendarDays) {
    const most = `must be the day of startDate, or up to ${limits.calendarDays - 1} days later`
    throw invalidAt(['endDate'], most)
  }
  return { start, end, firstDay, lastDay, perDay: limits.calendarRecordsPerDay }
}

/** How the field shows its dates; undefined where it has none, or lists of them. */
function formattingOf({ rules: { form } }: SchemaField): DateFormatting | undefined {
  return form.item.kind === 'date' && !form.isList ? form.item.formatting : undefined
}

/** What holds of records that begin up to the last day, and begin or end on the first one or later. */
export function isOnDays({ start, end, firstDay, lastDay }: Calendar): Condition {
  const value = { mode: 'dateRange', exactDate: firstDay, exactDateEnd: lastDay } as const
  const windowOf = (field: SchemaField) => {
    const formatting = formattingOf(field)
    // The days are named: it takes no notice of the time of the call.
    return formatting && dateWindow(value, firstDay, formatting)
  }
  const days = windowOf(start)
  const begins: Condition = {
    kind: 'some',
    field: start,
    test: { kind: 'range', ...(days && { to: throughEnd(days) }) },
  }
  const lasts = [start, end].map(
    (field): Condition => ({
      kind: 'some',
      field,
      test: { kind: 'range', from: { value: windowOf(field)?.from ?? '' } },
    }),
  )
  return { kind: 'all', conditions: [begins, { kind: 'any', conditions: lasts }] }
}
