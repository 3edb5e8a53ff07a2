import { limits } from '@gateleg/domain/limits'

/** How fast a file comes while it is waited for: who reads it may take longer. */
export class FetchPace {
  readonly #onSlow: () => void
  /** Milliseconds for which it was waited, and bytes that came, since the pace was looked at last. */
  #waitedMs = 0
  #come = 0

  /** Takes what ends a file that comes too slowly. */
  constructor(onSlow: () => void) {
    this.#onSlow = onSlow
  }

  /** Notes bytes that have come. */
  take(bytes: number): void {
    this.#come += bytes
  }

  /** Waits for the next bytes. */
  async of<T>(coming: Promise<T>): Promise<T> {
    let sinceMs = performance.now()
    let timer: NodeJS.Timeout | undefined
    const note = () => {
      const nowMs = performance.now()
      this.#waitedMs += nowMs - sinceMs
      sinceMs = nowMs
      if (this.#waitedMs >= limits.fetchPaceSeconds * 1_000) this.#look()
    }
    const wait = () => {
      timer = setTimeout(
        () => {
          note()
          wait()
        },
        Math.max(1, limits.fetchPaceSeconds * 1_000 - this.#waitedMs),
      )
    }
    wait()
    try {
      return await coming
    } finally {
      clearTimeout(timer)
      note()
    }
  }

  #look(): void {
    if (this.#come < (this.#waitedMs / 1_000) * limits.fetchBytesPerSecond) this.#onSlow()
    this.#waitedMs = 0
    this.#come = 0
  }
}
