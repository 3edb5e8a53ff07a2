import { compareText } from '@gateleg/domain/values/text'
import {
  isTrueValue,
  joined,
  type ModelItems,
  type ModelPart,
  type ModelType,
  numberOf,
  oneOf,
  singleTextOf,
  textOf,
  toResult,
} from './model-value.ts'

export const modelOperators = [
  ...(['+', '-', '*', '/', '&', '=', '!='] as const),
  ...(['<', '>', '<=', '>=', '&&', '||'] as const),
] as const
export type ModelOperator = (typeof modelOperators)[number]

const one = (scalar: ModelType['scalar']): ModelType => ({ scalar, isList: false })

/** The type of two parts with the operator between them. */
export function operationType(
  operator: ModelOperator,
  left: ModelType,
  right: ModelType,
): ModelType {
  if (operator === '&') return one('string')
  if (operator === '+') return one(isSum(left, right) ? 'number' : 'string')
  return one(['-', '*', '/'].includes(operator) ? 'number' : 'boolean')
}

function isSum(left: ModelType, right: ModelType): boolean {
  return left.scalar !== 'string' && right.scalar !== 'string'
}

/** The value of two parts with the operator between them. */
export function operate(operator: ModelOperator, left: ModelPart, right: ModelPart): ModelItems {
  switch (operator) {
    case '&':
      return join(left, right)
    case '+':
      return isSum(left.type, right.type) ? reckon(left, right, (a, b) => a + b) : join(left, right)
    case '-':
      return reckon(left, right, (a, b) => a - b)
    case '*':
      return reckon(left, right, (a, b) => a * b)
    case '/':
      return reckon(left, right, (a, b) => a / b)
    case '&&':
      return isTrueValue(oneOf(left.value())) && isTrueValue(oneOf(right.value()))
    case '||':
      return isTrueValue(oneOf(left.value())) || isTrueValue(oneOf(right.value()))
    case '=':
      return isEqual(left, right)
    case '!=':
      return !isEqual(left, right)
    default:
      return isInOrder(operator, orderOf(left, right))
  }
}

function join(left: ModelPart, right: ModelPart): string {
  return joined([textOf(left) ?? '', textOf(right) ?? ''], '')
}

function operandOf(part: ModelPart): number {
  const item = oneOf(part.value())
  return item === null ? 0 : numberOf(item)
}

function reckon(left: ModelPart, right: ModelPart, work: (a: number, b: number) => number) {
  return toResult(work(operandOf(left), operandOf(right)))
}

/** Both sides as they compare: as texts when one is text and none a number, else as numbers. */
function comparable(left: ModelPart, right: ModelPart): readonly (string | number | null)[] {
  const scalars = [left.type.scalar, right.type.scalar]
  const asText = scalars.includes('string') && !scalars.includes('number')
  return [left, right].map((part) => {
    if (asText) return singleTextOf(part)
    const item = oneOf(part.value())
    return item === null ? null : numberOf(item)
  })
}

/** Nothing equals only nothing; what is no number equals no number. */
function isEqual(left: ModelPart, right: ModelPart): boolean {
  const [a, b] = comparable(left, right)
  return a === b
}

/** Less than 0 when the left comes first; NaN when there is no order. */
function orderOf(left: ModelPart, right: ModelPart): number {
  const [a = null, b = null] = comparable(left, right)
  if (a === null || b === null) return Number.NaN
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return Number(a) - Number(b)
}

function isInOrder(operator: '<' | '>' | '<=' | '>=', order: number): boolean {
  if (operator === '<') return order < 0
  if (operator === '>') return order > 0
  return operator === '<=' ? order <= 0 : order >= 0
}
