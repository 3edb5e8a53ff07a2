import type { Part, Read } from './evaluation.ts'
import type { FormulaValue, PartType } from './formula-type.ts'
import { formatOf } from './reading.ts'

/** Reads the values of a part as a type that `unionOf` made of the part's and others. */
export function readAs(part: Part, type: PartType): Read<FormulaValue> {
  const isText = type.scalar === 'string' && part.type.scalar !== 'string'
  const wraps = type.isMultiple && !part.type.isMultiple
  if (!isText && !wraps) return (value) => value
  const format = isText ? formatOf(part) : undefined
  return (value) => {
    if (value === null) return null
    if (typeof value === 'object') {
      return format ? value.map((item) => (item === null ? null : format(item))) : value
    }
    const item = format ? format(value) : value
    return wraps ? [item] : item
  }
}
