import { arrayFunctions } from './array.ts'
import { dateTimeFunctions } from './date-time.ts'
import type { FormulaFunction } from './formula-function.ts'
import { logicalFunctions } from './logical.ts'
import { numericFunctions } from './numeric.ts'
import { systemFunctions } from './system.ts'
import { textFunctions } from './text.ts'

/** The functions of the language by their names in capital letters. */
export const formulaFunctions: ReadonlyMap<string, FormulaFunction> = new Map(
  [
    ...numericFunctions,
    ...textFunctions,
    ...logicalFunctions,
    ...dateTimeFunctions,
    ...arrayFunctions,
    ...systemFunctions,
  ].map((each) => [each.name, each]),
)
