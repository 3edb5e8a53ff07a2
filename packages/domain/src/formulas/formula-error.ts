import { DomainError } from '../errors.ts'

/** Why a formula was refused, and where. The caller's mistake, never ours. */
export class FormulaError extends Error {
  /** What is wrong and what would be right, in one sentence without its end. */
  readonly reason: string
  /** How many characters (UTF-16 units) of the formula stand before the place; the message says the same. */
  readonly position: number

  constructor(reason: string, position: number) {
    super(`${reason} (position ${position})`)
    this.name = 'FormulaError'
    this.reason = reason
    this.position = position
  }
}

/** The `validation_error` for a refused formula; the path says which member of the input held it. */
export function formulaRefused(
  error: FormulaError,
  path: readonly (string | number)[],
): DomainError {
  return new DomainError('validation_error', `The formula is not valid: ${error.message}`, {
    issues: [{ path, message: error.message }],
    position: error.position,
    reason: error.reason,
  })
}
