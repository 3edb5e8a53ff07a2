import { ownCaller } from '@gateleg/domain/structures/fair-queue'
import { SqlFailure } from '@gateleg/sql/core/connection'
import { FairPlaces } from './fair-places.ts'

/** Runs work one piece at a time: callers take turns, and the pieces of a caller keep their order. */
export class Turns {
  readonly #place: FairPlaces

  /** Takes how long anybody waits for a turn at most, in milliseconds. */
  constructor(waitMsMax: number) {
    const tooLate = () =>
      new SqlFailure('contended', 'others had their turns for too long', undefined)
    this.#place = new FairPlaces({ size: 1, ofOneCaller: 1, waitMsMax, tooLate })
  }

  /** Whether anybody waits for a turn. */
  get areWaitedFor(): boolean {
    return this.#place.isWaitedFor
  }

  /**
   * Runs the work when it is its turn, whether or not what went before succeeded. Fails with SqlFailure,
   * `contended`, when that takes too long; the work is not run then.
   */
  async take<T>(work: () => Promise<T>, caller: string = ownCaller): Promise<T> {
    await this.#place.enter(caller)
    try {
      return await work()
    } finally {
      this.#place.leave(caller)
    }
  }
}
