/** Steps after which others may have their turn: well below a millisecond of work. */
export const stepsPerTurn = 10_000

/**
 * The steps of computing that a call, or one run of the background's work, may take; limits.formulaSteps
 * says what a step is. Steps and not time, so that the same work always ends at the same place.
 */
export class StepBudget {
  readonly #steps: number
  #spent = 0

  constructor(steps: number) {
    this.#steps = steps
  }

  /** Counts steps that were taken. What is under way may take more than there are left. */
  spend(steps: number): void {
    this.#spent += steps
  }

  get spent(): number {
    return this.#spent
  }

  /** Whether it wouldn't be spent after so many steps more. */
  hasMoreThan(steps: number): boolean {
    return this.#spent + steps < this.#steps
  }

  get isSpent(): boolean {
    return this.#spent >= this.#steps
  }
}
