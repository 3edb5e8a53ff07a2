import type { UseCases } from '@gateleg/domain/use-cases'
import type fc from 'fast-check'
import type { ScriptState } from './script-state.ts'

type Input = Readonly<Record<string, unknown>>

/** How scripts call one operation. */
export interface ScriptedOperation {
  /** How often it is called, beside the others. */
  readonly weight: number
  /** What a step says about the call: JSON, with things named by Ref. */
  readonly args: fc.Arbitrary<Input>
  /** The input that the arguments stand for. */
  toInput(args: Input, known: ScriptState): Input
  /** Notes what the answer tells that later steps may be about. */
  learn(known: ScriptState, answer: unknown, input: Input): void
}

/** Every operation of a feature; one that is missing is a type error. */
export type ScriptedFeature<Feature extends keyof UseCases> = {
  readonly [Name in keyof UseCases[Feature]]: ScriptedOperation
}

/** Gives arguments and answer their types while an operation is described, and erases them for the table. */
export function scripted<Args extends object, Answer = unknown>(operation: {
  readonly weight: number
  readonly args: fc.Arbitrary<Args>
  toInput?(args: Args, known: ScriptState): object
  learn?(known: ScriptState, answer: Answer, input: Input): void
}): ScriptedOperation {
  return {
    weight: operation.weight,
    args: operation.args as fc.Arbitrary<object> as fc.Arbitrary<Input>,
    toInput: (args, known) => (operation.toInput?.(args as Args, known) ?? args) as Input,
    learn: (known, answer, input) => operation.learn?.(known, answer as Answer, input),
  }
}
