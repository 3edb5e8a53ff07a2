import { type PartType, partTypes, unionOf } from '../formula-type.ts'
import { toComparable } from '../runtime/compare-values.ts'
import { fault, type Run, type RunnablePart } from '../runtime/evaluation.ts'
import { readAs } from '../runtime/read-as.ts'
import { readTruth } from '../runtime/reading.ts'
import { define, defineVariadic, giveUp } from './define.ts'
import type { FormulaFunction } from './formula-function.ts'
import { anything, text, truth, truths } from './parameters.ts'

/** The branches of IF and SWITCH are computed only when they are chosen. */
function branch(part: RunnablePart, type: PartType): Run {
  const read = readAs(part, type)
  return (evaluation) => read(part.run(evaluation), evaluation)
}

const nothing: RunnablePart = { type: partTypes.blank, run: () => null }

const choose: FormulaFunction = {
  name: 'IF',
  parameters: [truth, anything],
  argumentsMin: 3,
  argumentsMax: 3,
  resultType: ([, whenTrue = partTypes.blank, whenFalse = partTypes.blank]) =>
    unionOf([whenTrue, whenFalse]),
  compile: ([condition = nothing, whenTrue = nothing, whenFalse = nothing]) => {
    const type = unionOf([whenTrue.type, whenFalse.type])
    const read = readTruth(condition)
    const runTrue = branch(whenTrue, type)
    const runFalse = branch(whenFalse, type)
    return (evaluation) =>
      read(condition.run(evaluation), evaluation) ? runTrue(evaluation) : runFalse(evaluation)
  },
}

/** The arguments of SWITCH after the first: patterns with their results, and at last a default. */
function casesOf<T>(args: readonly T[]) {
  const cases: { readonly pattern: T; readonly result: T }[] = []
  for (let index = 0; index + 1 < args.length; index += 2) {
    cases.push({ pattern: args[index] as T, result: args[index + 1] as T })
  }
  return { cases, otherwise: args.length % 2 === 1 ? args.at(-1) : undefined }
}

function resultsOf<T>(args: readonly T[]): readonly T[] {
  const { cases, otherwise } = casesOf(args)
  const results = cases.map(({ result }) => result)
  return otherwise === undefined ? results : [...results, otherwise]
}

const switchOver: FormulaFunction = {
  name: 'SWITCH',
  parameters: [anything],
  argumentsMin: 2,
  argumentsMax: Number.POSITIVE_INFINITY,
  resultType: ([, ...args]) => unionOf(resultsOf(args)),
  compile: ([subject = nothing, ...args]) => {
    const type = unionOf(resultsOf(args).map((part) => part.type))
    const { cases, otherwise = nothing } = casesOf(args)
    const compiled = cases.map(({ pattern, result }) => ({
      pattern: pattern.run,
      isEqual: toComparable(subject, pattern).isEqual,
      run: branch(result, type),
    }))
    const runOtherwise = branch(otherwise, type)
    return (evaluation) => {
      const value = subject.run(evaluation)
      const found = compiled.find(({ pattern, isEqual }) =>
        isEqual(value, pattern(evaluation), evaluation),
      )
      return (found?.run ?? runOtherwise)(evaluation)
    }
  },
}

const isError: FormulaFunction = {
  name: 'IS_ERROR',
  parameters: [anything],
  argumentsMin: 1,
  argumentsMax: 1,
  resultType: () => partTypes.boolean,
  compile:
    ([part = nothing]) =>
    (evaluation) => {
      try {
        part.run(evaluation)
        return false
      } catch (error) {
        if (error === fault) return true
        throw error
      }
    },
}

const blank: FormulaFunction = {
  name: 'BLANK',
  parameters: [],
  argumentsMin: 0,
  argumentsMax: 0,
  resultType: () => partTypes.blank,
  compile: () => () => null,
}

export const logicalFunctions = [
  choose,
  switchOver,
  defineVariadic({ name: 'AND', parameter: truths, result: 'boolean' }, (lists) =>
    lists.every((list) => list.every(Boolean)),
  ),
  defineVariadic({ name: 'OR', parameter: truths, result: 'boolean' }, (lists) =>
    lists.some((list) => list.some(Boolean)),
  ),
  defineVariadic(
    { name: 'XOR', parameter: truths, result: 'boolean' },
    (lists) => lists.flat().filter(Boolean).length % 2 === 1,
  ),
  define({ name: 'NOT', parameters: [truth] as const, result: 'boolean' }, ([value]) => !value),
  blank,
  define({ name: 'ERROR', parameters: [text] as const, optional: 1, result: 'string' }, giveUp),
  isError,
]
