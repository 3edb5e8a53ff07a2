import { AnswerTooLong } from '../answer-too-long.ts'
import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import { jsonBytes, mostJsonBytes } from '../values/json-bytes.ts'

/** Records that are measured before it is seen whether others should have their turn, and their bytes. */
const recordsPerTurn = 32
const bytesPerTurn = 256 * 1024

/** How the bytes of a value as JSON are found. */
interface Measures<Value> {
  /** No less than they are, found quickly. */
  readonly most: (value: Value) => number
  readonly exact: (value: Value) => number
}

const ofJson: Measures<unknown> = { most: mostJsonBytes, exact: jsonBytes }

/** How many of the values, from the first on, take so many bytes as JSON together at most. */
export async function countWithin<Value>(
  tx: Pick<ReadTx, 'giveWay'>,
  values: readonly Value[],
  bytes: number,
  { most, exact }: Measures<Value> = ofJson,
): Promise<number> {
  // Most are so short that nobody needs to go through their texts.
  const count = await countBy(tx, values, { bytes, measure: most })
  return count === values.length ? count : countBy(tx, values, { bytes, measure: exact })
}

/** The bytes, as JSON, of the records that a write may answer. */
export function mostAnswered({ answerLength = limits.answerBytes }: AnswerBound): number {
  return Math.min(answerLength, limits.answerBytes)
}

/** What refuses a write that would answer more than that. */
export function tooLongToAnswer({ answerLength = limits.answerBytes }: AnswerBound): Error {
  if (answerLength < limits.answerBytes) return new AnswerTooLong()
  const most = limits.answerBytes
  const message = `the records take more than ${most} bytes together as they would be answered: change fewer records at once`
  return invalidAt(['records'], message)
}

/** What a call says of its answer. */
export type AnswerBound = Pick<CallContext, 'answerLength'>

async function countBy<Value>(
  tx: Pick<ReadTx, 'giveWay'>,
  values: readonly Value[],
  { bytes, measure }: { readonly bytes: number; readonly measure: (value: Value) => number },
): Promise<number> {
  let total = 0
  let last = { index: 0, total: 0 }
  for (const [index, value] of values.entries()) {
    total += measure(value) + 1
    if (total > bytes) return index
    if (index - last.index < recordsPerTurn && total - last.total < bytesPerTurn) continue
    await tx.giveWay()
    last = { index, total }
  }
  return values.length
}
