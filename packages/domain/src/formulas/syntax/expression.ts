import type { Operator } from './operators.ts'

/** The tree of a formula. `position` counts the characters before the part, for error messages. */
export type Expression =
  | { readonly kind: 'string'; readonly value: string; readonly position: number }
  | { readonly kind: 'number'; readonly value: number; readonly position: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly position: number }
  | ReferenceExpression
  | CallExpression
  | NegationExpression
  | ChainExpression

/** A field that a formula names, by its id. */
export interface ReferenceExpression {
  readonly kind: 'reference'
  readonly fieldId: string
  readonly position: number
}

/** A call of a function. */
export interface CallExpression {
  readonly kind: 'call'
  /** In capital letters. */
  readonly name: string
  readonly args: readonly Expression[]
  readonly position: number
}

/** A minus sign before a part. */
export interface NegationExpression {
  readonly kind: 'negation'
  readonly operand: Expression
  readonly position: number
}

/**
 * Operands joined by operators of one level, computed from the left. Flat, so that a sum of a
 * thousand terms is as deep as a sum of two.
 */
export interface ChainExpression {
  readonly kind: 'chain'
  readonly first: Expression
  readonly steps: readonly ChainStep[]
  readonly position: number
}

/** An operator and what stands on its right. */
export interface ChainStep {
  readonly operator: Operator
  readonly operand: Expression
  /** Where the operator stands. */
  readonly position: number
}
