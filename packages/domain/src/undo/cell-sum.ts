import { sha256 } from '../values/bytes/sha256.ts'

/** Hexadecimal digits of a sum: as many as no two states of a column have by chance. */
const digits = 32

/** Tells by a short text whether cells hold what they held, in whatever sequence they come: by the sum of their digests. */
export class CellSum {
  #sum: bigint

  /** Goes on with a sum that was told before. */
  constructor(told = '0') {
    this.#sum = BigInt(`0x${told}`)
  }

  /** Adds the cell of a record, as JSON. */
  add(recordId: string, json: string): void {
    const digest = sha256(`${recordId} ${json}`).slice(0, digits)
    this.#sum = BigInt.asUintN(digits * 4, this.#sum + BigInt(`0x${digest}`))
  }

  /** The sum so far. */
  told(): string {
    return this.#sum.toString(16)
  }
}
