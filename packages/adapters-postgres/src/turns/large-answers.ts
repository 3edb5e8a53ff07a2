import { clearTimeout, setTimeout } from 'node:timers'
import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
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
 * Lets reads with large answers take turns. To write one down takes a processor of the database for some tens of milliseconds:
 * more of them at once would only take the processors from each other, and from all that is short. What a statement will answer
 * isn't known: it is taken for what it answered before, on any connection. One that takes long for what it answers, as where it
 * looks at all records of a table, is none of these: writing is the least of it.
 */
export class LargeAnswers {
  readonly #places: FairPlaces
  readonly #answered = new WeightedCache<string, Answered>(statementsRemembered)

  /** Takes the places for such reads. */
  constructor(places: FairPlaces) {
    this.#places = places
  }

  /** Whether the statement of that name is to be sent in a turn alone. */
  takesTurn(name: string): boolean {
    const before = this.#answered.get(name)
    if (!before || before.bytes < limits.largeAnswerBytes) return false
    return before.turns < turnsTried || before.bytesPerMs >= limits.largeAnswerBytesPerMs
  }

  /** A turn, where there is one at once. */
  tryEnter(caller: string): LargeAnswerTurn | undefined {
    return this.#places.tryEnter(caller) ? this.#turnOf(caller) : undefined
  }

  /**
   * Waits for a turn; who does must hold nothing that others wait for. Who has waited for long goes on all the same, and is
   * answered undefined.
   */
  async enter(caller: string): Promise<LargeAnswerTurn | undefined> {
    try {
      await this.#places.enter(caller)
    } catch {
      return undefined
    }
    return this.#turnOf(caller)
  }

  #turnOf(caller: string): LargeAnswerTurn {
    return new LargeAnswerTurn(() => this.#places.leave(caller))
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
}

/** The turn of a read, which ends when its large answer has come, or soon where it isn't asked for. */
export class LargeAnswerTurn {
  readonly #leave: () => void
  readonly #unused: NodeJS.Timeout
  #isOver = false

  /** Takes what lets the next one go on. */
  constructor(leave: () => void) {
    this.#leave = leave
    this.#unused = setTimeout(() => this.end(), unusedMsMax)
  }

  /** The answer is asked for now. */
  begin(): void {
    clearTimeout(this.#unused)
  }

  end(): void {
    clearTimeout(this.#unused)
    if (!this.#isOver) this.#leave()
    this.#isOver = true
  }
}

/** Milliseconds that a turn lasts in which no large answer is asked for: what comes before it may take long. */
const unusedMsMax = 300

/**
 * Thrown where a read turns out to have a large answer: it is rolled back, and run again in its turn. No caller sees this error.
 */
export class AnswerIsLarge extends Error {
  constructor() {
    super('The answer is larger than is read beside others')
    this.name = 'AnswerIsLarge'
  }
}

/** The name of statements that are not kept, each of which may be another one. */
const notPrepared = ''

/** Turns after which it is known how fast a statement is: one may be slow for another reason. */
const turnsTried = 3

/** Statements whose answers were large: a few of each table that has long records. */
const statementsRemembered = 2_000
