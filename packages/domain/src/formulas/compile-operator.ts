import type { FormulaValue } from './formula-type.ts'
import { settleNumber } from './functions/define.ts'
import { toComparable } from './runtime/compare-values.ts'
import {
  checkTextLength,
  type Evaluation,
  type Part,
  type Read,
  type RunnablePart,
  spend,
} from './runtime/evaluation.ts'
import { readNumber, readText, readTruth, single } from './runtime/reading.ts'
import type { Operator } from './syntax/operators.ts'

/** Goes on from the value of what stands left of an operator. */
export type Step = (left: FormulaValue, evaluation: Evaluation) => FormulaValue

type Arithmetic = '+' | '-' | '*' | '/' | '%'

/** What has no result (a division by nothing) comes out as no number, which becomes an empty value. */
const arithmetic: Readonly<Record<Arithmetic, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
}

const orders: Readonly<Record<'>' | '<' | '>=' | '<=', (order: number) => boolean>> = {
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '>=': (order) => order >= 0,
  '<=': (order) => order <= 0,
}

/** Makes an operator ready to run, given what is known of the part to its left. */
export function compileOperator(
  operator: Operator,
  left: Part,
  right: RunnablePart,
  isNumeric: boolean,
): Step {
  switch (operator) {
    case '&':
      return join(left, right)
    case '+':
      return isNumeric ? calculate(operator, left, right) : join(left, right)
    case '-':
    case '*':
    case '/':
    case '%':
      return calculate(operator, left, right)
    case '&&':
    case '||':
      return connect(operator, left, right)
    default:
      return compare(operator, left, right)
  }
}

/** Empty counts as 0. */
function calculate(operator: Arithmetic, left: Part, right: RunnablePart): Step {
  const apply = arithmetic[operator]
  const readLeft = readNumber(left)
  const readRight = readNumber(right)
  return (value, evaluation) => {
    const a = readLeft(value, evaluation) ?? 0
    const b = readRight(right.run(evaluation), evaluation) ?? 0
    return settleNumber(apply(a, b))
  }
}

/** Empty counts as "", a list as its items' joined by commas. */
function join(left: Part, right: RunnablePart): Step {
  const readLeft = readText(left)
  const readRight = readText(right)
  return (value, evaluation) => {
    const start = readLeft(value, evaluation) ?? ''
    const end = readRight(right.run(evaluation), evaluation) ?? ''
    checkTextLength(start.length + end.length)
    // The engine doesn't copy the start, so joining many parts one by one stays cheap.
    spend(evaluation, end.length)
    return start + end
  }
}

/** The right side is computed only when the left leaves the answer open. */
function connect(operator: '&&' | '||', left: Part, right: RunnablePart): Step {
  const readLeft = readSingleTruth(left)
  const readRight = readSingleTruth(right)
  const settling = operator === '||'
  return (value, evaluation) =>
    readLeft(value, evaluation) === settling
      ? settling
      : readRight(right.run(evaluation), evaluation)
}

function readSingleTruth(part: Part): Read<boolean> {
  const read = readTruth(part)
  return (value, evaluation) => read(single(value), evaluation)
}

function compare(
  operator: '=' | '!=' | '>' | '<' | '>=' | '<=',
  left: Part,
  right: RunnablePart,
): Step {
  const { isEqual, order } = toComparable(left, right)
  if (operator === '=' || operator === '!=') {
    const expected = operator === '='
    return (value, evaluation) => isEqual(value, right.run(evaluation), evaluation) === expected
  }
  const holds = orders[operator]
  return (value, evaluation) => holds(order(value, right.run(evaluation), evaluation))
}
