import { AnswerTooLong } from '../answers/answer-too-long.ts'
import { DomainError, invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallContext } from '../use-case.ts'

/**
 * What refuses a selection whose cells are longer than a call may answer: a part of them would be another selection, so
 * that none is answered where there is no room for all at the moment.
 */
export function tooLongSelection({
  answerLength = limits.answerBytes,
  mayEndSooner,
}: Pick<CallContext, 'answerLength' | 'mayEndSooner'>): Error {
  const most = limits.answerBytes
  if (answerLength >= most) {
    const message = `the selected cells take more than ${most} bytes together as they are answered`
    return invalidAt(['ranges'], `${message}: select fewer`)
  }
  if (!mayEndSooner) return new AnswerTooLong()
  return new DomainError(
    'service_busy',
    'The memory for long answers is in use by others: try again in a while',
    {
      retryAfterSeconds: 1,
    },
  )
}
