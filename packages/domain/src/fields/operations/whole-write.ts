import { StepBudget } from '../../calculations/step-budget.ts'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { SizedRange } from '../../records/record-size-reader.ts'

/** Steps that changing a record takes, beside one for each of its bytes: all of them are written anew. */
const stepsPerRecord = 100

/** A change of every record of a table that has to be one write: it has an end. */
export class WholeWrite {
  readonly #budget = new StepBudget(limits.stepsPerWholeWrite)
  readonly #path: readonly string[]
  readonly #what: string

  /** Takes the member of the input that asks for it, and what is done to the records, for the error. */
  constructor(path: readonly string[], what: string) {
    this.#path = path
    this.#what = what
  }

  /** Counts records that are changed next; throws validation_error when they are too many by now. */
  spend({ count, bytes }: SizedRange): void {
    this.#budget.spend(stepsPerRecord * count + bytes)
    if (!this.#budget.isSpent) return
    const message = `the table has too many or too long records to ${this.#what} in one write`
    throw invalidAt(this.#path, message)
  }
}
