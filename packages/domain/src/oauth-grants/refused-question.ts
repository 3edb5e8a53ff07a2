import { later } from '../clock.ts'
import { limits } from '../limits.ts'
import type { GrantContext } from './grant-tokens.ts'

type Context = Pick<GrantContext, 'tx' | 'now' | 'secrets'>

/** Ends the question of the id for as long as it could be answered: nothing else is kept of questions. */
export async function refuseQuestion(context: Context, id: string): Promise<void> {
  await reserve(context, id)
}

/** Whether the user refused what the question of the id asked for. */
export async function isRefused(context: Context, id: string): Promise<boolean> {
  if (!(await reserve(context, id))) return true
  await context.tx.attempts.release(subjectOf(context, id))
  return false
}

/** Takes the one refusal that a question has. Returns whether that was left. */
async function reserve({ tx, now, secrets }: Context, id: string): Promise<boolean> {
  const questionMs = limits.oauthDecisionMinutes * 60_000
  const limit = {
    ...{ most: 1, now, until: later(now, questionMs) },
    farthest: later(now, 2 * questionMs),
  }
  return (await tx.attempts.reserve(subjectOf({ secrets }, id), limit)) === undefined
}

function subjectOf({ secrets }: Pick<Context, 'secrets'>, id: string): string {
  return `oauth-refusal:${secrets.digest(id)}`
}
