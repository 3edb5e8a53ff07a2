import type { PartType } from '../formula-type.ts'
import { partTypes } from '../formula-type.ts'
import {
  type Evaluation,
  type Part,
  type Read,
  spend,
  spendReading,
} from '../runtime/evaluation.ts'
import { listOf, readMoment, readNumbers, stepsPerConversion } from '../runtime/reading.ts'
import { settled } from './define.ts'
import { type FormulaFunction, Misfit, type Parameter } from './formula-function.ts'

/** Numbers or dates; which of them, the first argument that isn't empty decides. */
const values: Parameter<unknown> = {
  expects: 'numbers or dates',
  accepts: () => true,
  read: readNumbers,
}

function isOfDates(types: readonly PartType[]): boolean {
  return types.find((type) => type.scalar !== 'blank')?.scalar === 'dateTime'
}

function resultType(types: readonly PartType[]): PartType | Misfit {
  const ofDates = isOfDates(types)
  const unfit = types.some(({ scalar }) =>
    ofDates ? scalar === 'number' || scalar === 'boolean' : scalar === 'dateTime',
  )
  if (unfit) return new Misfit("Dates and numbers can't be compared with each other")
  return ofDates ? partTypes.dateTime : partTypes.number
}

/** The moments among the items of a value. */
function readMoments(part: Part): Read<readonly number[]> {
  const read = readMoment(part)
  return (value, evaluation) => {
    const items = listOf(value)
    spend(evaluation, items.length * stepsPerConversion)
    return items.map((item) => read(item, evaluation)).filter((item) => item !== null)
  }
}

function extreme(name: string, choose: (a: number, b: number) => number): FormulaFunction {
  return {
    name,
    parameters: [values],
    argumentsMin: 1,
    argumentsMax: Number.POSITIVE_INFINITY,
    resultType,
    compile: (args) => {
      const ofDates = isOfDates(args.map((arg) => arg.type))
      const runs = args.map(({ run, ...part }) => {
        const read = ofDates ? readMoments(part) : readNumbers(part)
        return (evaluation: Evaluation) => {
          const value = run(evaluation)
          spendReading(evaluation, value)
          return read(value, evaluation)
        }
      })
      return settled(ofDates ? 'dateTime' : 'number', (evaluation) => {
        let found: number | null = null
        for (const run of runs) {
          for (const value of run(evaluation)) found = found === null ? value : choose(found, value)
        }
        return found
      })
    },
  }
}

/** MAX: the greatest number or the latest date, empty items passed over. */
export const maximum = extreme('MAX', Math.max)

/** MIN: the least number or the earliest date, empty items passed over. */
export const minimum = extreme('MIN', Math.min)
