import type { Operation } from '@gateleg/contract/operation'
import type { TextStream } from '@gateleg/domain/answers/text-stream'
import { limits } from '@gateleg/domain/limits'
import type { Exchange } from '../exchange/exchange.ts'
import type { RecordsCall } from './answer-records.ts'
import type { AnswerSettings } from './answer-settings.ts'
import { attachmentOf } from './content-disposition.ts'
import { openFor, requireOpen } from './open-answer-share.ts'
import { sendText } from './send-text.ts'

/**
 * Sends a text while it is made: each part in its caller's turn, once the part before was sent. One part counts among
 * all large answers until the end.
 */
export async function answerText(
  exchange: Exchange,
  operation: Operation,
  { call, caller }: Pick<RecordsCall, 'call' | 'caller'>,
  { answers, answerTurns }: AnswerSettings,
): Promise<void> {
  const { response } = exchange
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const endTurn = await answerTurns.enter(caller)
    try {
      requireOpen(response)
      return await work()
    } finally {
      endTurn()
    }
  }
  await openFor(response, answers.open(caller, limits.tentativeAnswerBytes))
  const text = (await inTurn(() => call())) as TextStream
  const headers = {
    'Content-Type': `${text.mediaType}; charset=utf-8`,
    'Content-Disposition': attachmentOf(text.fileName),
  }
  if (!exchange.begin(operation.status, headers)) return
  const parts = text[Symbol.asyncIterator]()
  try {
    await sendText(response, async () => (await inTurn(() => parts.next())).value)
  } finally {
    await parts.return?.()
  }
  exchange.log(operation.status)
}
