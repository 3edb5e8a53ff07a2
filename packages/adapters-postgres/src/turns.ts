import { setTimeout } from 'node:timers/promises'
import { SqlFailure } from '@gateleg/sql/connection'

/** Lets those who ask go on one after another, in the order in which they ask. */
export class Turns {
  readonly #waitMsMax: number
  #last: Promise<void> = Promise.resolve()

  /** Takes how long anybody waits for a turn at most, in milliseconds. */
  constructor(waitMsMax: number) {
    this.#waitMsMax = waitMsMax
  }

  /**
   * Runs the work when all that asked before is done, whether or not it succeeded. Fails with
   * SqlFailure, `contended`, when that takes too long; the work is not run then.
   */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    this.#last = done
    if (!(await this.#isOver(before))) {
      before.then(end)
      throw new SqlFailure('contended', 'others had their turns for too long', undefined)
    }
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Whether those before are done in time. */
  async #isOver(before: Promise<void>): Promise<boolean> {
    const waiting = new AbortController()
    const { signal } = waiting
    const tooLong = setTimeout(this.#waitMsMax, false, { signal }).catch(() => false)
    try {
      return await Promise.race([before.then(() => true), tooLong])
    } finally {
      waiting.abort()
    }
  }
}
