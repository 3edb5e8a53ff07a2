import type { Engine } from '@gateleg/engine/engine'
import type { CallerSettings } from '../callers/authenticate-request.ts'
import type { AnswerBudget } from './answer-budget.ts'
import type { AnswerTurns } from './answer-turns.ts'

/** What an answer depends on besides the operation and its result. */
export interface AnswerSettings extends CallerSettings {
  readonly engine: Pick<Engine, 'call' | 'giveWay'>
  /** For operations that answer records, and for long answers of others. */
  readonly answers: AnswerBudget
  readonly answerTurns: AnswerTurns
  /** The path at which browsers reach the service, where that isn't the mount's; without a slash at its end. */
  readonly publicPath: string | undefined
  /** Whether the session cookie is for https alone. */
  readonly isHttps: boolean
}
