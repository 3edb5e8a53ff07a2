import type { FormulaValue, PartType } from '../formula-type.ts'
import { type Part, type Read, spend } from './evaluation.ts'
import { formatOf, stepsPerTextOf } from './reading.ts'

/** Reads the values of a part as a type that `unionOf` made of the part's and others. */
export function readAs(part: Part, type: PartType): Read<FormulaValue> {
  const isText = type.scalar === 'string' && part.type.scalar !== 'string'
  const wraps = type.isMultiple && !part.type.isMultiple
  if (!isText && !wraps) return (value) => value
  const format = isText ? formatOf(part) : undefined
  return (value, evaluation) => {
    if (value === null) return null
    if (typeof value === 'object') {
      if (format) spend(evaluation, value.length * stepsPerTextOf(part))
      return format ? value.map((item) => (item === null ? null : format(item))) : value
    }
    const item = format ? format(value) : value
    return wraps ? [item] : item
  }
}
