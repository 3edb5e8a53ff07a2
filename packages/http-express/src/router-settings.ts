import type { Engine } from '@gateleg/engine/engine'
import type { AnswerBudget } from './answers/answer-budget.ts'
import type { AnswerTurns } from './answers/answer-turns.ts'
import type { BodyReader } from './bodies/body-reader.ts'
import type { CallerSettings } from './callers/authenticate-request.ts'
import type { CallLimits } from './callers/call-limits.ts'
import type { KnownCallers } from './callers/known-callers.ts'

/** What the router of operations needs from the app. */
export interface RouterSettings extends CallerSettings {
  readonly engine: Pick<Engine, 'call' | 'giveWay'>
  readonly reader: BodyReader
  readonly callLimits: CallLimits
  readonly knownCallers: KnownCallers
  /** For operations that answer records, and for long answers of others. */
  readonly answers: AnswerBudget
  readonly answerTurns: AnswerTurns
  /** The path at which browsers reach the service, where that isn't the mount's; without a slash at its end. */
  readonly publicPath: string | undefined
  /** Whether the session cookie is for https alone. */
  readonly isHttps: boolean
}
