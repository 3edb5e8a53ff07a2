import type { FormulaScalar, PartType } from '../formula-type.ts'
import {
  type Part,
  type Read,
  type Run,
  type RunnablePart,
  spendReading,
} from '../runtime/evaluation.ts'
import type { Expression } from '../syntax/expression.ts'

/** What a formula can ask about a record besides its cells. */
export type RowFact = 'now' | 'recordId' | 'autoNumber' | 'createdTime' | 'lastModifiedTime'

/** One function of the language. */
export interface FormulaFunction {
  /** In capital letters. */
  readonly name: string
  /** The last one stands for all further arguments. */
  readonly parameters: readonly Parameter<unknown>[]
  readonly argumentsMin: number
  readonly argumentsMax: number
  /** What a call with the arguments reads of the record by itself; absent when none reads anything. */
  reads?(args: readonly Expression[]): RowFact | undefined
  /** The type for arguments that the parameters accept; a Misfit when they don't go together. */
  resultType(args: readonly PartType[]): PartType | Misfit
  /** Makes the function ready to run on arguments that were checked. */
  compile(args: readonly RunnablePart[]): Run
}

/** What a function asks of one argument, and how it reads it. */
export interface Parameter<T> {
  /** In words, for error messages: `a number`. */
  readonly expects: string
  accepts(type: PartType): boolean
  /** Why a value that is written out in the formula can't be right; undefined when it can. */
  refuses?(literal: FormulaScalar): string | undefined
  read(part: Part): Read<T>
}

/** Why arguments don't go together. */
export class Misfit {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** The parameters that read as the given types, in their order. */
export type ParameterList<T extends readonly unknown[]> = {
  readonly [K in keyof T]: Parameter<T[K]>
}

/** Computes an argument and reads it, or answers null for one that was left out. */
export function runArgument<T>(parameter: Parameter<T>, arg: RunnablePart | undefined): Run<T> {
  // Every parameter reads an empty value as its empty form, so one left out reads the same.
  const { run, ...part } = arg ?? { run: () => null, type: { scalar: 'blank', isMultiple: false } }
  const read = parameter.read(part)
  return (evaluation) => {
    const value = run(evaluation)
    spendReading(evaluation, value)
    return read(value, evaluation)
  }
}
