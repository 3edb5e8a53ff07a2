import { z } from 'zod'
import {
  calendarShape,
  countMapOutput,
  findDays,
  recordsOfCalendar,
} from '../../aggregations/operations/get-calendar-days.ts'
import { AnswerTooLong } from '../../answers/answer-too-long.ts'
import { readFound } from '../../records/pages/read-found.ts'
import { mostAnswered } from '../../records/showing/answer-size.ts'
import { showAsWithin } from '../../records/showing/show-within.ts'
import { defineRead } from '../../use-case.ts'
import { onSharedRecords } from '../share-guard.ts'
import { shareQueryShape } from '../share-query.ts'
import { sharedRecordOutput, toSharedRecord } from '../shared-record.ts'

/** Counts the records that a share shows on each day of a calendar, and shows some of those that begin on it. */
export const getSharedCalendarDays = defineRead({
  summary: 'List the days of a calendar of a share',
  input: z.object({ ...shareQueryShape, ...calendarShape }),
  output: z.object({
    countMap: countMapOutput,
    records: z.array(sharedRecordOutput).describe(recordsOfCalendar),
  }),
  access: onSharedRecords(),
  endsAtLength: true,
  run: async (context, input) => {
    const { tx, actor, publicUrl, answerLength, mayEndSooner } = context
    const { fieldKeyType } = input
    const { asked, countMap, found } = await findDays({ ...context, userId: '' }, input)
    const { schema, shown } = asked
    const columns = shown.columns.map(({ column }) => column)
    const source = readFound(tx, schema, found, columns)
    const how = { fieldKeyType, cellFormat: 'json', toShown: toSharedRecord } as const
    const shape = { ...how, actor, publicUrl }
    const end = { most: found.length, bytes: mostAnswered(context) }
    const { records, isTooLong } = await showAsWithin(tx, shown, source, shape, end)
    if (isTooLong && answerLength !== undefined && !mayEndSooner) throw new AnswerTooLong()
    return { countMap, records }
  },
})
