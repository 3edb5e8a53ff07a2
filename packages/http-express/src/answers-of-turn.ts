/** So many requests under way that their answers are worth sending together: fewer would wait for nothing. */
const together = 8

/**
 * Sends the answers of an app. Where many requests are under way, those that are ready in one turn of the event loop are sent
 * at its end: each write wakes the one who reads it, which takes longer the more often it is done in between.
 */
export class AnswersOfTurn {
  #underWay = 0
  #ready: (() => void)[] = []

  /** Counts a request that has come. */
  begin(): void {
    this.#underWay++
  }

  /** Counts one that has been answered, or that nobody waits for any more. */
  end(): void {
    this.#underWay--
  }

  /** Sends an answer, at once or at the end of this turn. */
  send(send: () => void): void {
    if (this.#underWay < together) {
      send()
      return
    }
    if (this.#ready.length === 0) setImmediate(this.#sendAll)
    this.#ready.push(send)
  }

  readonly #sendAll = (): void => {
    const ready = this.#ready
    this.#ready = []
    for (const send of ready) send()
  }
}
