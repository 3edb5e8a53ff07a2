import { toMoment } from '../dates/moment.ts'
import { type FormulaValue, type PartType, partTypes } from '../formula-type.ts'
import { type Evaluation, fault, type Run, spendList, spendText } from '../runtime/evaluation.ts'
import {
  type FormulaFunction,
  type Parameter,
  type ParameterList,
  runArgument,
} from './formula-function.ts'

interface Signature<T extends readonly unknown[]> {
  readonly name: string
  readonly parameters: ParameterList<T>
  /** How many of the last parameters may be left out; they then read as empty. */
  readonly optional?: number
  readonly result: keyof typeof partTypes
  readonly reads?: FormulaFunction['reads']
}

/** A function of a fixed number of arguments, of which all are computed. */
export function define<T extends readonly unknown[]>(
  { name, parameters, optional = 0, result, reads }: Signature<T>,
  evaluate: (args: T, evaluation: Evaluation) => FormulaValue,
): FormulaFunction {
  return {
    name,
    parameters,
    argumentsMin: parameters.length - optional,
    argumentsMax: parameters.length,
    ...(reads ? { reads } : {}),
    resultType: () => partTypes[result],
    compile: (args) => {
      const runs = parameters.map((parameter, index) => runArgument(parameter, args[index]))
      return settled(result, (evaluation) =>
        evaluate(runs.map((run) => run(evaluation)) as unknown as T, evaluation),
      )
    },
  }
}

interface VariadicSignature<T> {
  readonly name: string
  readonly parameter: Parameter<T>
  readonly result: keyof typeof partTypes
}

/** A function of one argument or more, all of one kind and all computed. */
export function defineVariadic<T>(
  { name, parameter, result }: VariadicSignature<T>,
  evaluate: (args: readonly T[], evaluation: Evaluation) => FormulaValue,
): FormulaFunction {
  return {
    name,
    parameters: [parameter],
    argumentsMin: 1,
    argumentsMax: Number.POSITIVE_INFINITY,
    resultType: () => partTypes[result],
    compile: (args) => {
      const runs = args.map((arg) => runArgument(parameter, arg))
      return settled(result, (evaluation) =>
        evaluate(
          runs.map((run) => run(evaluation)),
          evaluation,
        ),
      )
    },
  }
}

/**
 * Sees to it that every result is a value: no NaN, infinity or negative zero, no moment that can't be
 * told, no text or list that is too long.
 */
export function settled(scalar: PartType['scalar'], run: Run): Run {
  switch (scalar) {
    case 'number':
      return (evaluation) => settleNumber(run(evaluation))
    case 'dateTime':
      return (evaluation) => {
        const value = run(evaluation)
        return typeof value === 'number' ? toMoment(value) : null
      }
    case 'string':
      return (evaluation) => {
        const value = run(evaluation)
        if (typeof value === 'string') spendText(evaluation, value.length)
        return value
      }
    default:
      return run
  }
}

/** The number, without a sign of zero; null for one that no cell can hold. */
export function settleNumber(value: FormulaValue): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null
}

/** The list, after it was counted. */
export function settleList(
  list: readonly (string | number | boolean | null)[],
  evaluation: Evaluation,
): FormulaValue {
  spendList(evaluation, list.length)
  return list
}

/** For a part without a value for this record. */
export function giveUp(): never {
  throw fault
}
