import { z } from 'zod'
import { AnswerTooLong } from '../../answers/answer-too-long.ts'
import { limits } from '../../limits.ts'
import { readingShape } from '../../records/input/record-input.ts'
import { listExtraOutput } from '../../records/pages/list-extra-output.ts'
import { listPageShape } from '../../records/pages/list-page-shape.ts'
import { mostAnswered } from '../../records/showing/answer-size.ts'
import { defineRead } from '../../use-case.ts'
import { listShown } from '../list-shown.ts'
import { onSharedRecords } from '../share-guard.ts'
import { shareQueryShape, shareSortShape } from '../share-query.ts'
import { sharedRecordOutput } from '../shared-record.ts'

/**
 * Lists the records that the view of a share shows, in its order. `nextCursor` leads to the next page, as long as the
 * last record of this one is there: it goes on after that, wherever it stands by then.
 */
export const listSharedRecords = defineRead({
  summary: 'List the records of a share',
  input: z.object({ ...readingShape, ...listPageShape, ...shareQueryShape, ...shareSortShape }),
  output: z.object({
    records: z.array(sharedRecordOutput),
    nextCursor: z
      .string()
      .nullable()
      .describe('Leads to the records that follow; null when these were the last'),
    extra: listExtraOutput,
  }),
  access: onSharedRecords(),
  needs: ['secrets'],
  endsAtLength: true,
  isLong: ({ skip }) => skip > limits.recordsSkippedAtOnce,
  run: async (context, input) => {
    const { answerLength, mayEndSooner } = context
    const end = { bytes: mostAnswered(context), withGroups: true }
    const { records, nextCursor, isTooLong, groups, searchHitIndex } = await listShown(
      context,
      input,
      end,
    )
    if (isTooLong && answerLength !== undefined && !mayEndSooner) throw new AnswerTooLong()
    if (!groups && !searchHitIndex) return { records, nextCursor }
    const extra = { ...groups, ...(searchHitIndex && { searchHitIndex: [...searchHitIndex] }) }
    return { records, nextCursor, extra }
  },
})
