import { anyExpression, withoutPositions } from '@gateleg/testing/arbitraries/formula'
import { assertRoundTrips } from '@gateleg/testing/properties/assert-round-trips'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { FormulaError, formulaRefused } from '../formula-error.ts'
import { parseFormula } from './parse-formula.ts'
import { printFormula } from './print-formula.ts'

function refusalOf(formula: string): { reason: string; position: number } {
  try {
    parseFormula(formula)
  } catch (error) {
    if (error instanceof FormulaError) return error
    throw error
  }
  throw new Error(`not refused: ${formula}`)
}

/** The formula with brackets around every operation. */
function grouped(formula: string): string {
  const print = (part: ReturnType<typeof parseFormula>): string => {
    if (part.kind === 'negation') return `(-${print(part.operand)})`
    if (part.kind !== 'chain') return printFormula(part)
    return part.steps.reduce(
      (left, { operator, operand }) => `(${left}${operator}${print(operand)})`,
      print(part.first),
    )
  }
  return print(parseFormula(formula))
}

describe('parsing a formula', () => {
  it('[FORMULA-10] always reads a printed expression as the same expression', () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        fc.pre(printFormula(expression).length <= limits.formulaLength)
        assertRoundTrips(expression, printFormula, (text) => withoutPositions(parseFormula(text)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('[FORMULA-9] never fails on any text but with a refusal at a place inside it', () => {
    const words = [
      '1',
      '.5',
      '"a"',
      "'",
      '{a}',
      '{',
      'IF',
      'TRUE',
      '(',
      ')',
      ',',
      '/*',
      '//',
      '!',
      '\n',
    ]
    const operators = [
      '+',
      '-',
      '*',
      '/',
      '%',
      '>',
      '<',
      '=',
      '>=',
      '!=',
      '&&',
      '||',
      '&',
      '|',
      ' ',
    ]
    const text = fc.oneof(
      fc
        .array(fc.constantFrom(...words, ...operators), { maxLength: 30 })
        .map((all) => all.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(text, (formula) => {
        try {
          parseFormula(formula)
        } catch (error) {
          if (!(error instanceof FormulaError)) throw error
          expect(error.position).toBeGreaterThanOrEqual(0)
          expect(error.position).toBeLessThanOrEqual(formula.length)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ['1+2*3', '(1+(2*3))'],
    ['1*2+3', '((1*2)+3)'],
    ['1-2-3', '((1-2)-3)'],
    ['8/4%3*2', '(((8/4)%3)*2)'],
    ['-1*2', '((-1)*2)'],
    ['--1', '(-(-1))'],
    ['1+2>3-4', '((1+2)>(3-4))'],
    ['1>2=3<4', '((1>2)=(3<4))'],
    ['1=2!=3', '((1=2)!=3)'],
    ['1=2&&3', '((1=2)&&3)'],
    ['1||2&&3', '(1||(2&&3))'],
    ['1&2||3', '(1&(2||3))'],
    ['1&2+3', '(1&(2+3))'],
    ['(1+2)*3', '((1+2)*3)'],
    ['1-(2-3)', '(1-(2-3))'],
  ])('[FORMULA-3] reads %s as %s', (formula, result) => {
    expect(grouped(formula)).toBe(result)
  })

  it.each([
    ['"a\\"b"', 'a"b'],
    ["'a\"b'", 'a"b'],
    ["'it\\'s'", "it's"],
    ['"\\n\\r\\t\\\\"', '\n\r\t\\'],
    ['"\\d+"', '\\d+'],
    ['"{a} // no comment"', '{a} // no comment'],
    ['"two\nlines"', 'two\nlines'],
    ['""', ''],
  ])('[FORMULA-4] reads %s as text', (formula, value) => {
    expect(parseFormula(formula)).toEqual({ kind: 'string', value, position: 0 })
  })

  it.each([
    ['12', 12],
    ['012.50', 12.5],
    ['1e3', 1],
    ['2.5E10', 2.5],
    ['1000000000000000000000000', 1e24],
    ['0.00000001', 1e-8],
  ])('[FORMULA-5] reads %s as a number', (formula, value) => {
    expect(parseFormula(formula)).toEqual({ kind: 'number', value, position: 0 })
  })

  it('[FORMULA-6] reads names in any case', () => {
    const call = parseFormula('Sum(tRue, FALSE)')
    expect(printFormula(call)).toBe('SUM(TRUE, FALSE)')
  })

  it('[FORMULA-7] reads over white space and comments', () => {
    const formula = '/* sum */ SUM ( 1 , // one\n 2 /* two\n */ ) // end'
    expect(printFormula(parseFormula(formula))).toBe('SUM(1, 2)')
  })

  it('[FORMULA-8] reads fields in braces', () => {
    const fieldId = 'a } {b\\'
    expect(parseFormula('{a \\} \\{b\\\\}')).toEqual({ kind: 'reference', fieldId, position: 0 })
  })

  it.each([
    ['', 'Expected a value, found the end', 0],
    ['1 +', 'Expected a value, found the end', 3],
    ['1 2', 'Expected an operator or the end, found a number', 2],
    ['1 {a}', 'Expected an operator or the end, found a field', 2],
    ['1 "a"', 'Expected an operator or the end, found a text', 2],
    ['1 * / 2', 'Expected a value, found "/"', 4],
    ['(1', 'Expected ")", found the end', 2],
    ['1)', 'Expected an operator or the end, found ")"', 1],
    ['SUM(1', 'Expected "," or ")", found the end', 5],
    ['SUM(1,)', 'Expected a value, found ")"', 6],
    ['SUM(,1)', 'Expected a value, found ","', 4],
    [
      'abc',
      '"abc" is not a value; write text in quotes, a field in braces, and "(" after the name of a function',
      0,
    ],
    ['  "abc', 'The text that begins here has no closing quote', 2],
    ['1 /* abc', 'The comment that begins here has no closing "*/"', 2],
    [
      '1 + {Price',
      'The brace that opens here is not closed. A field is written in braces, by its name or id: {Name}',
      4,
    ],
    ['{}', 'A field is written in braces, by its name or id: {Name}', 0],
    ['{a{b}', 'A field is written in braces, by its name or id: {Name}', 0],
    ['[a]', '"[" has no meaning here; a field is written in braces, by its name or id: {Name}', 0],
    ['1 # 2', '"#" has no meaning here', 2],
    ['1 | 2', '"|" has no meaning here; "or" is "||"', 2],
    ['1 == 2', 'Expected a value, found "="; "equal" is one "="', 3],
    ['1 = = 2', 'Expected a value, found "="', 4],
    ['1 <> 2', 'Expected a value, found ">"; "not equal" is "!="', 3],
    ['1 !== 2', 'Expected a value, found "="; "not equal" is "!="', 4],
    ['1 => 2', 'Expected a value, found ">"; "greater or equal" is ">="', 3],
    ['1 =< 2', 'Expected a value, found "<"; "less or equal" is "<="', 3],
    ['2 ** 3', 'Expected a value, found "*"; a power is POWER(base, exponent)', 3],
    ['1 <', 'Expected a value, found the end', 3],
    ['+1', 'Expected a value, found "+"', 0],
    ['5.', '"." has no meaning here; a decimal begins with a digit: 0.5', 1],
    ['9'.repeat(400), 'The number is too large', 0],
  ])('[FORMULA-9] refuses %j: %s at %i', (formula, reason, position) => {
    expect(refusalOf(formula)).toMatchObject({ reason, position })
  })

  it('[FORMULA-1] refuses a formula that is too long, and none that is just not', () => {
    const text = `"${'x'.repeat(limits.formulaLength - 2)}"`
    expect(parseFormula(text).kind).toBe('string')
    expect(refusalOf(`${text} `).reason).toBe('A formula has at most 8192 characters')
  })

  it.each([
    ['"a\0"', 2],
    ['1 + "\ud83d"', 5],
    ['"😀\ude00"', 3],
  ])('[FORMULA-1] refuses %j, which can not be stored', (formula, position) => {
    expect(refusalOf(formula)).toMatchObject({ position })
  })

  it.each([
    ['brackets', (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`],
    ['calls', (depth: number) => `${'ABS('.repeat(depth)}1${')'.repeat(depth)}`],
    ['signs', (depth: number) => `${'-'.repeat(depth)}1`],
  ])('[FORMULA-2] refuses %s that nest too deep, and none that just do not', (_, nested) => {
    expect(() => parseFormula(nested(limits.formulaDepth))).not.toThrow()
    for (const depth of [limits.formulaDepth + 1, 1_000]) {
      expect(refusalOf(nested(depth)).reason).toBe(
        'A formula can be nested at most 200 levels deep',
      )
    }
    expect(refusalOf(nested(10_000)).reason).toMatch(/at most/)
  })

  it('[FORMULA-2] refuses what nests deep without an end', () => {
    for (const open of ['(', '-', 'IF(', '1+(']) {
      expect(refusalOf(open.repeat(2_000)).reason).toBe(
        'A formula can be nested at most 200 levels deep',
      )
    }
  })

  it('[FORMULA-11] is refused as a validation error that tells the place', () => {
    const error = formulaRefused(new FormulaError('Expected a value', 4), ['options', 'expression'])
    const message = 'Expected a value (position 4)'
    expect(error.code).toBe('validation_error')
    expect(error.message).toBe(`The formula is not valid: ${message}`)
    expect(error.data).toEqual({
      issues: [{ path: ['options', 'expression'], message }],
      position: 4,
      reason: 'Expected a value',
    })
  })
})
