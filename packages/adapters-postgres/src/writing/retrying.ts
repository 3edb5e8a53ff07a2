import { setTimeout } from 'node:timers/promises'
import { SqlFailure } from '@gateleg/sql/core/connection'

/** Times that work is run in all, and milliseconds after which it isn't run again. */
const triesMax = 10
const elapsedMsMax = 10_000

/** Milliseconds before the second try at most; doubled for each one that follows, up to a limit. */
const firstPauseMs = 8
const pauseMsMax = 250

/**
 * Runs the work, and runs it again while other transactions are in its way. It waits for a random time up to a
 * growing limit in between, so that transactions that collided don't collide again. The work is told what stopped it
 * before.
 */
export async function retrying<T>(
  run: (before: SqlFailure | undefined) => Promise<T>,
  onFailure: (failure: SqlFailure) => void,
): Promise<T> {
  const start = performance.now()
  const words = new Set<string>()
  let before: SqlFailure | undefined
  for (let tries = 1; ; tries++) {
    try {
      return await run(before)
    } catch (error) {
      if (!(error instanceof SqlFailure)) throw error
      onFailure(error)
      before = error
      words.add(error.message)
      const mayPass = error.kind === 'contended' || error.kind === 'outdated'
      if (!mayPass) throw error
      if (tries === triesMax || performance.now() - start > elapsedMsMax) {
        throw isOurMistake(error, words) ? new SqlFailure('other', error.message, error) : error
      }
    }
    await setTimeout(Math.random() * Math.min(pauseMsMax, firstPauseMs * 2 ** (tries - 1)))
  }
}

/**
 * Whether the database said the same at every try of what tables don't have: then nobody has changed any meanwhile, and the statement
 * is wrong. A schema that is found changed is no refusal of the database.
 */
function isOurMistake({ kind, cause }: SqlFailure, words: ReadonlySet<string>): boolean {
  return kind === 'outdated' && cause !== undefined && words.size === 1
}
