import type { FormulaScalar, FormulaType, PartType } from '../formula-type.ts'
import type { FormulaFunction } from '../functions/formula-function.ts'
import type { Operator } from '../syntax/operators.ts'

/** A field as a formula sees it. */
export interface FormulaField {
  readonly type: FormulaType
  /**
   * How a single value of the field is shown where a formula reads it as text; without it, moments are
   * Timestamps. Numbers are plain whatever it says. Must not throw.
   */
  readonly format?: (value: FormulaScalar) => string
  /** Says all that the format depends on; formulas that are the same but for it can't be shared without. */
  readonly look?: string
}

/** A part of a formula whose types are known and fit together. */
export type Checked =
  | { readonly kind: 'literal'; readonly type: PartType; readonly value: FormulaScalar }
  | {
      readonly kind: 'field'
      readonly type: PartType
      readonly fieldId: string
      readonly field: FormulaField
    }
  | { readonly kind: 'negation'; readonly type: PartType; readonly operand: Checked }
  | CheckedChain
  | {
      readonly kind: 'call'
      readonly type: PartType
      readonly callee: FormulaFunction
      readonly args: readonly Checked[]
    }

/** Operands joined by operators of one level, with the type after each of them. */
export interface CheckedChain {
  readonly kind: 'chain'
  /** The type after the last step. */
  readonly type: PartType
  readonly first: Checked
  readonly steps: readonly CheckedStep[]
}

/** An operator and what stands on its right. */
export interface CheckedStep {
  readonly operator: Operator
  readonly operand: Checked
  /** The type of the chain up to and with this step. */
  readonly type: PartType
}
