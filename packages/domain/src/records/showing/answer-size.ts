import { AnswerTooLong } from '../../answers/answer-too-long.ts'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ReadTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import { jsonBytes, mostJsonBytes } from '../../values/json/json-bytes.ts'

/** Values that are measured before it is seen whether others should have their turn, and their bytes. */
const valuesPerTurn = 32
const bytesPerTurn = 256 * 1024

/** How the bytes of a value as JSON are found. */
interface Measures<Value> {
  /** No less than they are, found quickly. */
  readonly most: (value: Value) => number
  readonly exact: (value: Value) => number
}

const ofJson: Measures<unknown> = { most: mostJsonBytes, exact: jsonBytes }

/**
 * Takes values one after another, as long as they take so many bytes as JSON together at most. The texts of values are
 * gone through only where they may be too long: most are so short that nobody needs to.
 */
export class ValuesWithin<Value> {
  readonly #tx: Pick<ReadTx, 'giveWay'>
  readonly #bytes: number
  readonly #measures: Measures<Value>
  readonly #values: Value[] = []
  #isExact = false
  /** Bytes of the values, and those that were measured, since others had their turn. */
  #total = 0
  #measured = 0
  #measuredBytes = 0

  /** Takes the bytes that they may have, with a separator for each, and how those of one are found. */
  constructor(
    tx: Pick<ReadTx, 'giveWay'>,
    bytes: number,
    measures: Measures<Value> = ofJson as Measures<Value>,
  ) {
    this.#tx = tx
    this.#bytes = bytes
    this.#measures = measures
  }

  /** What was taken, in its order. */
  get values(): Value[] {
    return this.#values
  }

  /**
   * Takes the value; false when it has no room, in which case it isn't taken. Others have their turn in between: where it isn't
   * time for that, the answer is there at once.
   */
  add(value: Value): boolean | Promise<boolean> {
    if (this.#isExact) return this.#addMeasured(value)
    const bytes = this.#measures.most(value) + 1
    const total = this.#total + bytes
    if (total > this.#bytes) return this.#addMeasured(value)
    this.#values.push(value)
    this.#total = total
    return this.#isTimeAfter(bytes) ? this.#tx.giveWay().then(() => true) : true
  }

  /** Adds the value if the answer is short enough with it, by the bytes that the values have exactly. */
  async #addMeasured(value: Value): Promise<boolean> {
    const before = this.#isExact ? [] : this.#values
    let total = this.#isExact ? this.#total : 0
    this.#isExact = true
    for (const one of [...before, value]) {
      const bytes = this.#measures.exact(one) + 1
      if (this.#isTimeAfter(bytes)) await this.#tx.giveWay()
      total += bytes
      if (total > this.#bytes) return false
    }
    this.#values.push(value)
    this.#total = total
    return true
  }

  /** Whether others should have their turn, so many more bytes having been measured. */
  #isTimeAfter(bytes: number): boolean {
    this.#measured++
    this.#measuredBytes += bytes
    if (this.#measured < valuesPerTurn && this.#measuredBytes < bytesPerTurn) return false
    this.#measured = 0
    this.#measuredBytes = 0
    return true
  }
}

/** How many of the values, from the first on, take so many bytes as JSON together at most. */
export async function countWithin<Value>(
  tx: Pick<ReadTx, 'giveWay'>,
  values: readonly Value[],
  bytes: number,
  measures?: Measures<Value>,
): Promise<number> {
  const { most } = measures ?? (ofJson as Measures<Value>)
  if (await areWithin(tx, values, bytes, most)) return values.length
  const within = new ValuesWithin(tx, bytes, measures)
  for (const value of values) if (!(await within.add(value))) break
  return within.values.length
}

/** Whether all of the values take so many bytes at most, as far as that is quickly seen: nearly all do. */
export async function areWithin<Value>(
  tx: Pick<ReadTx, 'giveWay'>,
  values: readonly Value[],
  bytes: number,
  most: (value: Value) => number,
): Promise<boolean> {
  let total = 0
  let measured = 0
  let turnEnd = bytesPerTurn
  for (const value of values) {
    total += most(value) + 1
    if (total > bytes) return false
    if (++measured % valuesPerTurn !== 0 && total < turnEnd) continue
    turnEnd = total + bytesPerTurn
    await tx.giveWay()
  }
  return true
}

/** How many bytes of records, as JSON, a call may answer. */
export function mostAnswered({ answerLength = limits.answerBytes }: AnswerBound): number {
  return Math.min(answerLength, limits.answerBytes)
}

/** The error for a write whose answer would exceed `mostAnswered`. */
export function tooLongToAnswer({ answerLength = limits.answerBytes }: AnswerBound): Error {
  if (answerLength < limits.answerBytes) return new AnswerTooLong()
  const most = limits.answerBytes
  const message = `the answer would hold more than ${most} bytes of records: change fewer records at once`
  return invalidAt(['records'], message)
}

/** What a call says of its answer. */
export type AnswerBound = Pick<CallContext, 'answerLength'>
