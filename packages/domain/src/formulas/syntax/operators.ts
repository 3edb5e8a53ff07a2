/** The binary operators and how tightly each binds; the greater number binds first. */
export const operatorLevels = {
  '*': 7,
  '/': 7,
  '%': 7,
  '+': 6,
  '-': 6,
  '>': 5,
  '<': 5,
  '>=': 5,
  '<=': 5,
  '=': 4,
  '!=': 4,
  '&&': 3,
  '||': 2,
  '&': 1,
} as const

/** An operator as it is written. */
export type Operator = keyof typeof operatorLevels

/** The level of operands that no binary operator splits. */
export const operandLevel = 8

/** Whether the text is an operator between two operands. */
export function isOperator(text: string): text is Operator {
  return Object.hasOwn(operatorLevels, text)
}
