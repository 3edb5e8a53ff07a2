import type { ModelFormula } from './model-formula.ts'

/** A formula over fields named by their place in a list, which is counted round. */
export type FormulaShape = ModelFormula<number>
