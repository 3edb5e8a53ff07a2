/** Places of the words. */
const [count, stops] = [0, 1]

/**
 * Which statement a thread runs, as other threads see it, and whether they have it stop: while one runs, its thread
 * hears nothing.
 */
export class RunningStatement {
  /** Memory of all threads that have it. */
  readonly shared: SharedArrayBuffer
  /** A count, odd while a statement runs, another number for each; and whether the thread is to stop. */
  readonly #words: Int32Array<SharedArrayBuffer>

  constructor(shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#words = new Int32Array(shared)
  }

  /** Runs a statement on the thread, which counts as running until the call returns. */
  run<T>(statement: () => T): T {
    Atomics.add(this.#words, count, 1)
    try {
      return statement()
    } finally {
      Atomics.add(this.#words, count, 1)
    }
  }

  /** What tells the statement that runs from those before; undefined while none does. */
  get current(): number | undefined {
    const counted = Atomics.load(this.#words, count)
    return counted & 1 ? counted : undefined
  }

  /** Has the thread stop: what it runs as soon as that asks, and then all else. */
  stop(): void {
    Atomics.store(this.#words, stops, 1)
  }

  get isStopped(): boolean {
    return Atomics.load(this.#words, stops) === 1
  }
}
