import { type PartType, partTypes } from '../formula-type.ts'
import { Misfit } from '../functions/formula-function.ts'
import type { Operator } from '../syntax/operators.ts'

/** The type that an operator makes of two others; a Misfit when it can't be used on them. */
export function operatorType(
  operator: Operator,
  left: PartType,
  right: PartType,
): PartType | Misfit {
  const hasDate = left.scalar === 'dateTime' || right.scalar === 'dateTime'
  switch (operator) {
    case '&':
      return partTypes.string
    case '&&':
    case '||':
      return partTypes.boolean
    case '+':
      return isNumeric(left) && isNumeric(right) ? partTypes.number : partTypes.string
    case '-':
    case '*':
    case '/':
    case '%':
      if (!hasDate) return partTypes.number
      return new Misfit('To calculate with dates, use DATE_ADD and DATETIME_DIFF')
    default:
      if (!hasDate || (isDateLike(left) && isDateLike(right))) return partTypes.boolean
      return new Misfit('A date can be compared only with a date, or with text that holds one')
  }
}

/** true counts as 1, nothing as 0. */
function isNumeric({ scalar }: PartType): boolean {
  return scalar === 'number' || scalar === 'boolean' || scalar === 'blank'
}

function isDateLike({ scalar }: PartType): boolean {
  return scalar === 'dateTime' || scalar === 'string' || scalar === 'blank'
}
