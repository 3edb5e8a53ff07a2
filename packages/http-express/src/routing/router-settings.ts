import type { AnswerSettings } from '../answers/answer-settings.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import type { CallLimits } from '../callers/call-limits.ts'
import type { KnownCallers } from '../callers/known-callers.ts'

/** What the router of operations needs from the app. */
export interface RouterSettings extends AnswerSettings {
  readonly reader: BodyReader
  readonly callLimits: CallLimits
  readonly knownCallers: KnownCallers
}
