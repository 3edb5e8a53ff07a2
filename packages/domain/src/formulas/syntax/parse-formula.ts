import { limits } from '../../limits.ts'
import { isStorable } from '../../values/storable-text.ts'
import { FormulaError } from '../formula-error.ts'
import type { ChainStep, Expression } from './expression.ts'
import { operandLevel, operatorLevels } from './operators.ts'
import { type Token, tokenize } from './tokenizer.ts'

/**
 * Reads a formula. Throws a FormulaError with the place and the reason for any text that is none;
 * never runs out of stack, however deep the text nests.
 */
export function parseFormula(formula: string): Expression {
  if (formula.length > limits.formulaLength) {
    throw new FormulaError(
      `A formula has at most ${limits.formulaLength} characters`,
      limits.formulaLength,
    )
  }
  refuseUnstorable(formula)
  const reader = new TokenReader(tokenize(formula))
  const expression = parseLevel(reader, 1, 0)
  const rest = reader.current
  if (rest.kind !== 'end') {
    throw new FormulaError(
      `Expected an operator or the end, found ${describe(rest)}`,
      rest.position,
    )
  }
  return expression
}

function refuseUnstorable(formula: string): void {
  if (isStorable(formula)) return
  const wellFormed = formula.toWellFormed()
  let position = 0
  while (formula[position] === wellFormed[position] && formula[position] !== '\0') position++
  throw new FormulaError("This character can't be stored", position)
}

class TokenReader {
  readonly #tokens: readonly Token[]
  #index = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get current(): Token {
    return this.#tokens[this.#index] as Token
  }

  /** The token before the one that was taken last; undefined when that was the first. */
  get beforeTaken(): Token | undefined {
    return this.#tokens[this.#index - 2]
  }

  /** Steps past the current token and answers it; stays at the end. */
  take(): Token {
    const token = this.current
    if (token.kind !== 'end') this.#index++
    return token
  }

  expect(kind: ')' | '(', reason: string): void {
    const token = this.take()
    if (token.kind !== kind) {
      throw new FormulaError(`${reason}, found ${describe(token)}`, token.position)
    }
  }
}

function parseLevel(reader: TokenReader, level: number, depth: number): Expression {
  if (level === operandLevel) return parseOperand(reader, depth)
  const first = parseLevel(reader, level + 1, depth)
  const steps: ChainStep[] = []
  for (;;) {
    const token = reader.current
    if (token.kind !== 'operator' || operatorLevels[token.operator] !== level) break
    reader.take()
    const operand = parseLevel(reader, level + 1, depth)
    steps.push({ operator: token.operator, operand, position: token.position })
  }
  return steps.length === 0 ? first : { kind: 'chain', first, steps, position: first.position }
}

function parseOperand(reader: TokenReader, depth: number): Expression {
  const token = reader.take()
  const { position } = token
  if (depth > limits.formulaDepth) {
    throw new FormulaError(
      `A formula can be nested at most ${limits.formulaDepth} levels deep`,
      position,
    )
  }
  switch (token.kind) {
    case 'string':
      return { kind: 'string', value: token.text, position }
    case 'number':
      return { kind: 'number', value: token.value, position }
    case 'reference':
      return { kind: 'reference', fieldId: token.text, position }
    case 'name':
      return parseName(reader, token.text, position, depth)
    case '(': {
      const inner = parseLevel(reader, 1, depth + 1)
      reader.expect(')', 'Expected ")"')
      return inner
    }
    case 'operator':
      if (token.operator === '-') {
        return { kind: 'negation', operand: parseOperand(reader, depth + 1), position }
      }
  }
  const hint = operatorHint(reader.beforeTaken, token)
  throw new FormulaError(`Expected a value, found ${describe(token)}${hint}`, position)
}

/** Operators of other languages that are read as two here, and what stands for them. */
const otherOperators: ReadonlyMap<string, string> = new Map([
  ['==', '"equal" is one "="'],
  ['<>', '"not equal" is "!="'],
  ['!==', '"not equal" is "!="'],
  ['=>', '"greater or equal" is ">="'],
  ['=<', '"less or equal" is "<="'],
  ['**', 'a power is POWER(base, exponent)'],
])

/** What to write where two operators in a row are one of another language; nothing for others. */
function operatorHint(before: Token | undefined, token: Token): string {
  if (before?.kind !== 'operator' || token.kind !== 'operator') return ''
  if (before.end !== token.position) return ''
  const hint = otherOperators.get(before.operator + token.operator)
  return hint === undefined ? '' : `; ${hint}`
}

function parseName(reader: TokenReader, text: string, position: number, depth: number): Expression {
  const name = text.toUpperCase()
  if (reader.current.kind === '(') {
    return { kind: 'call', name, args: parseArguments(reader, depth), position }
  }
  if (name === 'TRUE' || name === 'FALSE') {
    return { kind: 'boolean', value: name === 'TRUE', position }
  }
  throw new FormulaError(
    `"${text.slice(0, 50)}" is not a value; write text in quotes, a field in braces, and "(" after the name of a function`,
    position,
  )
}

function parseArguments(reader: TokenReader, depth: number): readonly Expression[] {
  reader.expect('(', 'Expected "("')
  const args: Expression[] = []
  if (reader.current.kind === ')') {
    reader.take()
    return args
  }
  for (;;) {
    args.push(parseLevel(reader, 1, depth + 1))
    if (reader.current.kind !== ',') break
    reader.take()
  }
  reader.expect(')', 'Expected "," or ")"')
  return args
}

function describe(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end'
    case 'string':
      return 'a text'
    case 'number':
      return 'a number'
    case 'reference':
      return 'a field'
    case 'name':
      return `"${token.text.slice(0, 50)}"`
    case 'operator':
      return `"${token.operator}"`
    default:
      return `"${token.kind}"`
  }
}
