import { z } from 'zod'
import { AnswerTooLong } from '../../answers/answer-too-long.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { both } from '../../queries/condition.ts'
import { daysBetween, exactDate } from '../../queries/date-window.ts'
import { readFound } from '../../records/pages/read-found.ts'
import {
  type AskedContext,
  type AskedInput,
  type AskedQuery,
  findAskedQuery,
} from '../../records/query/find-asked-query.ts'
import { queryShape } from '../../records/query/query-shape.ts'
import { becomeLongIfMany } from '../../records/reading/become-long-if-many.ts'
import type { Span } from '../../records/reading/record-finder.ts'
import { mostAnswered } from '../../records/showing/answer-size.ts'
import { recordOutput } from '../../records/showing/record-output.ts'
import { showWithin } from '../../records/showing/show-within.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { shownKeys } from '../../views/column-meta.ts'
import { isOnDays, toCalendar } from './to-calendar.ts'

const dateField = textUpTo(limits.shortTextLength)

/** How a caller says which calendar is asked for. */
export const calendarShape = {
  startDate: exactDate.describe('The first day, or a moment on it, in ISO 8601'),
  endDate: exactDate.describe('The last day, or a moment on it, in ISO 8601'),
  startDateFieldId: dateField.describe('The field that says on which day a record begins'),
  endDateFieldId: dateField.describe('The field that says on which day it ends'),
}

/** How many records the days of a calendar have. */
export const countMapOutput = z
  .record(z.string(), z.number())
  .describe('How many records are on a day, by the days as YYYY-MM-DD; no day that has none')

/** Which of its records a calendar shows. */
export const recordsOfCalendar =
  'Of the records that begin on a day, or before the first, those that last longest'

/** Counts the records of each day of a calendar, and shows some of those that begin on it. */
export const getCalendarDays = defineRead({
  summary: 'List the days of a calendar',
  input: z.object({ tableId: idSchema, ...queryShape, ...calendarShape }),
  output: z.object({
    countMap: countMapOutput,
    records: z.array(recordOutput).describe(recordsOfCalendar),
  }),
  access: onTable('record|read'),
  endsAtLength: true,
  run: async (context, input) => {
    const { tx, actor, publicUrl, answerLength, mayEndSooner } = context
    const { fieldKeyType } = input
    const { asked, countMap, found } = await findDays(context, input)
    const { schema, view } = asked
    const keys = view && shownKeys(view, schema, fieldKeyType)
    const projection = keys && new Set(keys)
    const shape = { fieldKeyType, cellFormat: 'json', projection, actor, publicUrl } as const
    const end = { most: found.length, bytes: mostAnswered(context) }
    const shown = await showWithin(tx, schema, readFound(tx, schema, found), shape, end)
    const { records, isTooLong } = shown
    if (isTooLong && answerLength !== undefined && !mayEndSooner) throw new AnswerTooLong()
    return { countMap, records }
  },
})

/** A calendar, and the records that it shows. */
interface FoundDays {
  readonly asked: AskedQuery
  readonly countMap: Record<string, number>
  readonly found: readonly { readonly id: string }[]
}

/** The days of the calendar that is asked for. Throws as `findAskedQuery` and `toCalendar` do. */
export async function findDays(
  context: AskedContext,
  input: AskedInput & Parameters<typeof toCalendar>[1],
): Promise<FoundDays> {
  const { tx } = context
  const asked = await findAskedQuery(context, input)
  const { schema, shown, query } = asked
  const calendar = toCalendar(shown, input)
  const condition = both(query.condition, isOnDays(calendar))
  await becomeLongIfMany(tx, schema, condition)
  const { spans, ids } = await tx.recordFinder.spans(schema, condition, calendar)
  const countMap = countsOf(daysBetween(calendar.firstDay, calendar.lastDay), spans)
  return { asked, countMap, found: ids.map((id) => ({ id })) }
}

/** How many records are on each of the days, of those that have some. */
function countsOf(days: readonly string[], spans: readonly Span[]): Record<string, number> {
  const begun = new Map<string, number>()
  const ended = new Map<string, number>()
  for (const { from, to, records } of spans) {
    begun.set(from, (begun.get(from) ?? 0) + records)
    ended.set(to, (ended.get(to) ?? 0) + records)
  }
  const counts: Record<string, number> = {}
  let present = 0
  for (const day of days) {
    present += begun.get(day) ?? 0
    if (present > 0) counts[day] = present
    present -= ended.get(day) ?? 0
  }
  return counts
}
