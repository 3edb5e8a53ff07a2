import { numberFromText } from '../../values/number-text.ts'
import { define, defineVariadic } from './define.ts'
import { maximum, minimum } from './extremes.ts'
import { number, numbers, text } from './parameters.ts'
import { awayFromZero, roundAt, toEven, toOdd } from './rounding.ts'

/** A function of one number: empty for an empty cell. */
function ofOne(name: string, evaluate: (value: number) => number) {
  return define({ name, parameters: [number] as const, result: 'number' }, ([value]) =>
    value === null ? null : evaluate(value),
  )
}

/** A function of two numbers: empty when either is. */
function ofTwo(name: string, evaluate: (first: number, second: number) => number) {
  return define({ name, parameters: [number, number] as const, result: 'number' }, ([a, b]) =>
    a === null || b === null ? null : evaluate(a, b),
  )
}

/** A way of rounding, at a number of decimal places that is 0 when left out. */
function rounding(name: string, round: (value: number) => number) {
  const parameters = [number, number] as const
  return define({ name, parameters, optional: 1, result: 'number' }, ([value, places]) =>
    value === null ? null : roundAt(value, places ?? 0, round),
  )
}

function sum(values: readonly (readonly number[])[]): number {
  let total = 0
  for (const list of values) for (const value of list) total += value
  return total
}

/** Null of no numbers. Each is divided by itself where their sum leaves the numbers that there are: a mean is never beyond them. */
function mean(values: readonly (readonly number[])[]): number | null {
  const count = values.reduce((total, list) => total + list.length, 0)
  if (count === 0) return null
  const total = sum(values)
  if (Number.isFinite(total)) return total / count
  return sum(values.map((list) => list.map((value) => value / count)))
}

/** Exact for whole powers of the base. No number is a power of 0 but 0 itself. */
function logarithm(value: number, base: number): number {
  if (base === 0) return Number.NaN
  const result = Math.log(value) / Math.log(base)
  const whole = Math.round(result)
  return base ** whole === value ? whole : result
}

export const numericFunctions = [
  defineVariadic({ name: 'SUM', parameter: numbers, result: 'number' }, sum),
  defineVariadic({ name: 'AVERAGE', parameter: numbers, result: 'number' }, mean),
  maximum,
  minimum,
  rounding('ROUND', Math.round),
  rounding('ROUNDUP', awayFromZero),
  rounding('ROUNDDOWN', Math.trunc),
  rounding('CEILING', Math.ceil),
  rounding('FLOOR', Math.floor),
  ofOne('EVEN', toEven),
  ofOne('ODD', toOdd),
  ofOne('INT', Math.floor),
  ofOne('ABS', Math.abs),
  ofOne('SQRT', Math.sqrt),
  ofTwo('POWER', (base, exponent) => base ** exponent),
  ofOne('EXP', Math.exp),
  define(
    { name: 'LOG', parameters: [number, number] as const, optional: 1, result: 'number' },
    ([value, base]) => (value === null ? null : logarithm(value, base ?? 10)),
  ),
  ofTwo('MOD', modulo),
  define({ name: 'VALUE', parameters: [text] as const, result: 'number' }, ([source]) =>
    source === null ? null : (numberFromText(source) ?? null),
  ),
]

/** The size of the remainder, with the sign of the divisor. */
function modulo(value: number, divisor: number): number {
  if (divisor === 0) return 0
  return Math.abs(value % divisor) * Math.sign(divisor)
}
