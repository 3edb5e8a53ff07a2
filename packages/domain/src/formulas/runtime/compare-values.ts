import { compareText } from '../../values/text.ts'
import type { FormulaValue } from '../formula-type.ts'
import { type Evaluation, type Part, type Read, spendReading } from './evaluation.ts'
import { readMoment, readNumber, readSingleText } from './reading.ts'

/** Works on the values of two parts. */
type Compare<T> = (a: FormulaValue, b: FormulaValue, evaluation: Evaluation) => T

interface Comparable {
  /** Nothing equals nothing, and nothing else. Text equals text exactly. */
  readonly isEqual: Compare<boolean>
  /** Less than 0 when the first comes first, 0 when equal, NaN when the two have no order. */
  readonly order: Compare<number>
}

/** How the values of two parts compare: as dates if one is a date, as text if none is a number. */
export function toComparable(a: Part, b: Part): Comparable {
  const scalars = [a.type.scalar, b.type.scalar]
  if (scalars.includes('dateTime')) return comparing(readMoment(a), readMoment(b), compareNumbers)
  if (scalars.includes('string') && !scalars.includes('number')) {
    return comparing(readSingleText(a), readSingleText(b), compareText)
  }
  return comparing(readNumber(a), readNumber(b), compareNumbers)
}

function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a - b
}

function comparing<T>(
  readA: Read<T | null>,
  readB: Read<T | null>,
  compare: (a: T, b: T) => number,
): Comparable {
  const order: Compare<number> = (a, b, evaluation) => {
    spendReading(evaluation, a)
    spendReading(evaluation, b)
    const first = readA(a, evaluation)
    const second = readB(b, evaluation)
    return first === null || second === null ? Number.NaN : compare(first, second)
  }
  const isEqual: Compare<boolean> = (a, b, evaluation) => {
    spendReading(evaluation, a)
    spendReading(evaluation, b)
    const first = readA(a, evaluation)
    const second = readB(b, evaluation)
    if (first === null || second === null) return first === second && isEmpty(a) && isEmpty(b)
    return first === second
  }
  return { isEqual, order }
}

/** A text that tells no date reads as null, but isn't nothing. */
function isEmpty(value: FormulaValue): boolean {
  return value === null || (typeof value === 'object' && value.every((item) => item === null))
}
