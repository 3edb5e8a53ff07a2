import type { CharacterSet } from './character-set.ts'

/** A place in a text that has no width. */
export type Assertion = 'start' | 'end' | 'wordEdge' | 'noWordEdge'

/** The tree of a search pattern. */
export type PatternNode =
  | { readonly kind: 'characters'; readonly set: CharacterSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** Groups that remember what they matched are numbered from 1. */
  | { readonly kind: 'group'; readonly index: number; readonly inner: PatternNode }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | RepeatNode

export interface RepeatNode {
  readonly kind: 'repeat'
  readonly inner: PatternNode
  readonly min: number
  /** Infinity for no limit. */
  readonly max: number
  readonly isLazy: boolean
  /** The groups inside, which forget what they matched when the next round begins. */
  readonly groups: GroupRange
}

/** Group numbers, the last not included. */
export type GroupRange = readonly [first: number, end: number]

export interface Pattern {
  readonly node: PatternNode
  readonly groupCount: number
}

/** Why a text is no search pattern, or none of the supported kind. */
export class UnfitPattern {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}
