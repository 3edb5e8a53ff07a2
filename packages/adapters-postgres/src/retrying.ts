import { setTimeout } from 'node:timers/promises'
import { SqlFailure } from '@gateleg/sql/core/connection'

/** Times that work is run in all, and milliseconds after which it isn't run again. */
const triesMax = 10
const elapsedMsMax = 10_000

/** Milliseconds before the second try at most; doubled for each one that follows. */
const firstPauseMs = 4
const pauseMsMax = 250

/**
 * Runs the work, and again while other transactions are in its way. Pauses are of any length up to a
 * growing limit, so that those who collided don't do so again. The work is told what stopped it before.
 */
export async function retrying<T>(
  run: (before: SqlFailure | undefined) => Promise<T>,
  onFailure: (failure: SqlFailure) => void,
): Promise<T> {
  const start = performance.now()
  let before: SqlFailure | undefined
  for (let tries = 1; ; tries++) {
    try {
      return await run(before)
    } catch (error) {
      if (!(error instanceof SqlFailure)) throw error
      onFailure(error)
      before = error
      const mayPass = error.kind === 'contended' || error.kind === 'outdated'
      if (!mayPass || tries === triesMax || performance.now() - start > elapsedMsMax) throw error
    }
    await setTimeout(Math.random() * Math.min(pauseMsMax, firstPauseMs * 2 ** tries))
  }
}
