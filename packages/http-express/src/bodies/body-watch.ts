/** Something that must end in time. */
export interface Watched {
  isLate(nowMs: number): boolean
  /** Ends it. It is no longer watched. */
  onLate(): void
}

/**
 * Checks bodies under way at regular intervals, as long as there are any: one timer for all requests, because most
 * bodies have arrived before a timer of their own would have been set.
 */
export class BodyWatch {
  readonly #pauseMs: number
  readonly #watched = new Set<Watched>()
  #timer: NodeJS.Timeout | undefined

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
  }

  add(watched: Watched): void {
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => this.#look(), this.#pauseMs).unref()
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched)
  }

  #look(): void {
    const nowMs = performance.now()
    for (const watched of this.#watched) {
      if (!watched.isLate(nowMs)) continue
      this.#watched.delete(watched)
      watched.onLate()
    }
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
