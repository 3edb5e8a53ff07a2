const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Characters of a unique text that tell the runs apart. */
const runLength = 5

/** Texts that look random and are the same again after the same seed. */
export class SeededRandom {
  /** The number of the run of a replay, in which unique texts end. */
  run = 0
  readonly #state = new Uint32Array(4)

  /** Begins anew: what follows depends on the seed alone, and differs from what follows others. */
  restart(seed: number): void {
    this.#state.set([0x9e3779b9, 0x243f6a88, seed, 1])
    for (let round = 0; round < 12; round++) this.#next()
  }

  /** Goes on from here whenever the answer is called. */
  mark(): () => void {
    const state = this.#state.slice()
    return () => this.#state.set(state)
  }

  /** So many letters and digits. */
  text(length: number): string {
    return Array.from({ length }, () => characters[this.#next() % characters.length]).join('')
  }

  /**
   * So many letters and digits that come up in no other run: one storage can hold what many runs make.
   * They are in the same order in every run.
   */
  unique(length: number): string {
    return this.text(length - runLength) + String(this.run).padStart(runLength, '0')
  }

  /** So many digits. */
  digits(length: number): string {
    return Array.from({ length }, () => this.#next() % 10).join('')
  }

  /** The next of 2^32 numbers, by the small fast counting generator of 32 bits. */
  #next(): number {
    const [a = 0, b = 0, c = 0, count = 0] = this.#state
    const drawn = (a + b + count) >>> 0
    this.#state.set([b ^ (b >>> 9), c + (c << 3), ((c << 21) | (c >>> 11)) + drawn, count + 1])
    return drawn
  }
}
