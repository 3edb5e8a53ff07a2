import type { KeptAnswer } from '@gateleg/domain/idempotency/answer-repository'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `answers`. */
export const answerColumns = columnsFor<KeptAnswer>()({
  keyHash: 'key_hash',
  sealedInput: 'input_hash',
  sealedAnswer: 'sealed_answer',
  expiresTime: 'expires_time',
})

/** A row of `answers`. */
export type AnswerRow = RowOf<typeof answerColumns>
