import { quoteReference, quoteText } from './escapes.ts'
import type { ChainExpression, Expression } from './expression.ts'
import { operandLevel, operatorLevels } from './operators.ts'

/**
 * Writes an expression as a formula, with as few brackets as keep its meaning. Parsing the result gives
 * the same expression, positions apart.
 */
export function printFormula(expression: Expression): string {
  switch (expression.kind) {
    case 'string':
      return quoteText(expression.value)
    case 'number':
      return printNumber(expression.value)
    case 'boolean':
      return expression.value ? 'TRUE' : 'FALSE'
    case 'reference':
      return quoteReference(expression.fieldId)
    case 'call':
      return `${expression.name}(${expression.args.map(printFormula).join(', ')})`
    case 'negation':
      return `-${printAbove(operandLevel - 1, expression.operand)}`
    case 'chain': {
      const level = levelOf(expression)
      const steps = expression.steps.map(
        ({ operator, operand }) => ` ${operator} ${printAbove(level, operand)}`,
      )
      return printAbove(level, expression.first) + steps.join('')
    }
  }
}

/** An operand of an operator of a level: in brackets unless it binds tighter. */
function printAbove(level: number, operand: Expression): string {
  const text = printFormula(operand)
  return operand.kind === 'chain' && levelOf(operand) <= level ? `(${text})` : text
}

function levelOf(chain: ChainExpression): number {
  const operator = chain.steps[0]?.operator
  return operator === undefined ? operandLevel : operatorLevels[operator]
}

/** The number in plain digits; the language knows no exponents. */
function printNumber(value: number): string {
  const [digits = '', exponent] = String(value).split('e')
  if (exponent === undefined) return digits
  const [whole = '', fraction = ''] = digits.split('.')
  const shift = Number(exponent)
  return shift > 0
    ? whole + fraction.padEnd(shift, '0')
    : `0.${'0'.repeat(-shift - 1)}${whole}${fraction}`
}
