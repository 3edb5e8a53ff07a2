import { FormulaError } from '../formula-error.ts'
import { unescapeReference, unescapeText } from './escapes.ts'
import { isOperator, type Operator } from './operators.ts'

interface Place {
  readonly position: number
  /** Where the next character after the token stands. */
  readonly end: number
}

export type Token = Place &
  (
    | { readonly kind: 'string' | 'name' | 'reference'; readonly text: string }
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'operator'; readonly operator: Operator }
    | { readonly kind: '(' | ')' | ',' | 'end' }
  )

const patterns = {
  space: /\s+|\/\/[^\n\r]*/y,
  /** An exponent is read over: the language has none, and formulas that hold one mean the digits before it. */
  number: /(\d+(?:\.\d+)?)(?:[eE]\d+)?/y,
  name: /[A-Za-z_]\w*/y,
  operator: /&&|\|\||[<>!]=|[-+*/%<>=&]/y,
  string: /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y,
  reference: /\{(?:[^{}\\]|\\[\s\S])+\}/y,
}

/** Splits a formula into tokens, the last of kind `end`; comments and white space are left out. */
export function tokenize(formula: string): readonly Token[] {
  const tokens: Token[] = []
  let position = skipSpace(formula, 0)
  while (position < formula.length) {
    const token = readToken(formula, position)
    tokens.push(token)
    position = skipSpace(formula, token.end)
  }
  tokens.push({ kind: 'end', position, end: position })
  return tokens
}

function match(pattern: RegExp, formula: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(formula)
}

function skipSpace(formula: string, from: number): number {
  let position = from
  for (;;) {
    const space = match(patterns.space, formula, position)
    if (space) {
      position += space[0].length
    } else if (formula.startsWith('/*', position)) {
      const end = formula.indexOf('*/', position + 2)
      if (end < 0)
        throw new FormulaError('The comment that begins here has no closing "*/"', position)
      position = end + 2
    } else {
      return position
    }
  }
}

function readToken(formula: string, position: number): Token {
  const character = formula.charAt(position)
  switch (character) {
    case '"':
    case "'":
      return readString(formula, position)
    case '{':
      return readReference(formula, position)
    case '(':
    case ')':
    case ',':
      return { kind: character, position, end: position + 1 }
  }
  return (
    readNumber(formula, position) ??
    readName(formula, position) ??
    readOperator(formula, position) ??
    refuse(formula, position)
  )
}

function readString(formula: string, position: number): Token {
  const found = match(patterns.string, formula, position)
  if (!found) throw new FormulaError('The text that begins here has no closing quote', position)
  const text = unescapeText(found[0].slice(1, -1))
  return { kind: 'string', text, position, end: position + found[0].length }
}

function readReference(formula: string, position: number): Token {
  const found = match(patterns.reference, formula, position)
  if (!found) {
    const isOpen = !formula.includes('}', position)
    const written = 'A field is written in braces, by its name or id: {Name}'
    throw new FormulaError(
      isOpen ? `The brace that opens here is not closed. ${written}` : written,
      position,
    )
  }
  const text = unescapeReference(found[0].slice(1, -1))
  return { kind: 'reference', text, position, end: position + found[0].length }
}

function readNumber(formula: string, position: number): Token | undefined {
  const found = match(patterns.number, formula, position)
  if (!found) return undefined
  const value = Number(found[1])
  if (!Number.isFinite(value)) throw new FormulaError('The number is too large', position)
  return { kind: 'number', value, position, end: position + found[0].length }
}

function readName(formula: string, position: number): Token | undefined {
  const found = match(patterns.name, formula, position)
  return found
    ? { kind: 'name', text: found[0], position, end: position + found[0].length }
    : undefined
}

function readOperator(formula: string, position: number): Token | undefined {
  const text = match(patterns.operator, formula, position)?.[0]
  if (text === undefined || !isOperator(text)) return undefined
  return { kind: 'operator', operator: text, position, end: position + text.length }
}

/** What people bring along from other languages, and what stands for it here. */
const hints: Readonly<Record<string, string>> = {
  '!': '"not" is NOT(...)',
  '.': 'a decimal begins with a digit: 0.5',
  '|': '"or" is "||"',
  '^': 'a power is POWER(base, exponent)',
  '[': 'a field is written in braces, by its name or id: {Name}',
}

function refuse(formula: string, position: number): never {
  const character = String.fromCodePoint(formula.codePointAt(position) ?? 0)
  const hint = hints[character]
  throw new FormulaError(
    `"${character}" has no meaning here${hint === undefined ? '' : `; ${hint}`}`,
    position,
  )
}
