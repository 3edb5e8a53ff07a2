import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/weighted-cache'
import type { FairPlaces } from './fair-places.ts'

/** What is known of the answers to a statement. */
interface Answered {
  /** The bytes of the last one. */
  readonly bytes: number
  /** How often it had its turn, and how many bytes then came in a millisecond at best. */
  readonly turns: number
  readonly bytesPerMs: number
}

/**
 * Lets statements whose answers are large take turns, for as long as that holds nobody up: who has waited for a while goes on all
 * the same, since what they hold may be what those wait for who have the turn. To write one down takes a processor of the database for some tens of
 * milliseconds: more of them at once would only take the processors from each other, and from all that is short. What a
 * statement will answer isn't known: it is taken for what it answered before, on any connection. One that takes long for what
 * it answers, as where it looks at all records of a table, is let go on: writing is the least of it.
 */
export class LargeAnswers {
  readonly #places: FairPlaces
  readonly #answered = new WeightedCache<string, Answered>(statementsRemembered)

  /** Takes the places for such statements. */
  constructor(places: FairPlaces) {
    this.#places = places
  }

  /**
   * Undefined where the statement of that name may be sent at once, else what resolves when it may: to true where it has its turn,
   * which `leave` ends.
   */
  enter(name: string, caller: string): Promise<boolean> | undefined {
    const before = this.#answered.get(name)
    if (!before || before.bytes < limits.largeAnswerBytes) return undefined
    const isSlow = before.turns >= turnsTried && before.bytesPerMs < limits.largeAnswerBytesPerMs
    return isSlow ? undefined : this.#enter(caller)
  }

  leave(caller: string): void {
    this.#places.leave(caller)
  }

  /** Remembers how many bytes the statement has answered and, where it had its turn, in how many milliseconds. */
  note(name: string, bytes: number, ms?: number): void {
    if (name === notPrepared) return
    const before = this.#answered.get(name)
    if (!before && bytes < limits.largeAnswerBytes) return
    const { turns, bytesPerMs } = before ?? { turns: 0, bytesPerMs: 0 }
    const after =
      ms === undefined
        ? { turns, bytesPerMs }
        : { turns: turns + 1, bytesPerMs: Math.max(bytesPerMs, bytes / ms) }
    this.#answered.keep(name, { bytes, ...after }, 1)
  }

  async #enter(caller: string): Promise<boolean> {
    try {
      await this.#places.enter(caller)
      return true
    } catch {
      return false
    }
  }
}

/** The name of statements that are not kept, each of which may be another one. */
const notPrepared = ''

/** Turns after which it is known how fast a statement is: one may be slow for another reason. */
const turnsTried = 3

/** Statements whose answers were large: a few of each table that has long records. */
const statementsRemembered = 2_000
