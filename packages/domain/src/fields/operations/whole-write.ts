import { StepBudget } from '../../calculations/evaluation/step-budget.ts'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { recordRanges } from '../../records/reading/record-ranges.ts'
import type { SizedRange } from '../../records/reading/record-size-reader.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/** Steps that changing a record takes, beside one for each of its bytes: all of them are written anew. */
const stepsPerRecord = 100

/** A change of every record of a table that has to be one write: it has an end. */
export class WholeWrite {
  readonly #budget = new StepBudget(limits.stepsPerWholeWrite)
  #bytes = 0
  readonly #path: readonly string[]
  readonly #what: string

  /** Takes the member of the input that asks for it, and what is done to the records, for the error. */
  constructor(path: readonly string[], what: string) {
    this.#path = path
    this.#what = what
  }

  /**
   * Counts records that are to be changed, and the bytes that are written to them beside their own; throws
   * validation_error when they are too many by now.
   */
  spend({ count, bytes }: Pick<SizedRange, 'count' | 'bytes'>, written = 0): void {
    this.#budget.spend(stepsPerRecord * count + bytes)
    this.#bytes += bytes + written
    if (!this.#budget.isSpent && this.#bytes <= limits.bytesPerWholeWrite) return
    const message = `the table has too many or too long records to ${this.#what} in one write`
    throw invalidAt(this.#path, `${message}, ${bytesOfWholeWrite()}`)
  }

  /**
   * All records of a table, deleted ones too, range by range. They are counted before any of them is changed, so
   * that what is refused holds nobody up for long. Undefined where they take more bytes than a write changes that
   * the background can do as well.
   */
  async rangesOf(
    tx: ReadTx,
    schema: TableSchema,
    { canWait }: { readonly canWait: boolean },
  ): Promise<readonly SizedRange[] | undefined> {
    const ranges: SizedRange[] = []
    let bytes = 0
    for await (const range of recordRanges(tx, schema)) {
      bytes += range.bytes
      if (canWait && bytes > limits.bytesCalculated) return undefined
      this.spend(range)
      ranges.push(range)
    }
    return ranges
  }
}

/** What an error says of how large the records may be. */
export function bytesOfWholeWrite(): string {
  return `which takes at most ${limits.bytesPerWholeWrite} bytes of them`
}
