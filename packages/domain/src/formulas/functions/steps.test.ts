import { compileIn, type FormulaCell, rowOf } from '@gateleg/testing/factories/formula-world'
import { describe, expect, test } from 'vitest'
import type { FormulaType } from '../formula-type.ts'
import { formulaFunctions } from './formula-functions.ts'

/*
 * Whatever a function does with a value, it can't be done without steps: each function and operator is
 * given texts and lists of two sizes that are made to be hard, in every place that takes them.
 */

const moment = '2024-03-05T00:00:00.000Z'

/** Cells whose texts have so many characters, and whose lists so many items. */
function cellsOf(size: number): Readonly<Record<string, FormulaCell>> {
  const list = (type: FormulaType['scalar'], value: string | number | boolean): FormulaCell => ({
    type,
    value: Array.from({ length: size }, () => value),
  })
  const text = (value: string): FormulaCell => ({ type: 'string', value })
  return {
    same: text('a'.repeat(size)),
    half: text(`${'a'.repeat(size / 2)}b`),
    blanks: text(' '.repeat(size)),
    commas: text(','.repeat(size)),
    pairs: text('😀'.repeat(size / 2)),
    texts: list('string', 'a'),
    numbers: list('number', 0.5),
    dates: list('dateTime', moment),
    truths: list('boolean', true),
    number: { type: 'number', value: 2 },
    date: { type: 'dateTime', value: moment },
  }
}

const names = Object.keys(cellsOf(2))
const large = names.filter((name) => !['number', 'date'].includes(name))

function stepsOf(formula: string, size: number): number | undefined {
  const cells = cellsOf(size)
  let steps = 0
  try {
    compileIn(formula, { cells }).evaluate(rowOf({ cells }), (taken) => {
      steps += taken
    })
  } catch {
    // The value doesn't fit there.
    return undefined
  }
  return steps
}

/** Every call of the function with a large value in one place and small ones in the others. */
function callsOf(name: string, min: number, max: number): readonly string[] {
  const counts = [...new Set([min, Math.min(max, min + 1)])].filter((count) => count > 0)
  return counts.flatMap((count) =>
    Array.from({ length: count }, (_, place) => place).flatMap((place) =>
      large.flatMap((value) =>
        ['half', 'number', 'date'].map((other) => {
          const args = Array.from(
            { length: count },
            (__, at) => `{${at === place ? value : other}}`,
          )
          return `${name}(${args.join(', ')})`
        }),
      ),
    ),
  )
}

/** Functions that don't look at what they are given, or only at whether there is something. */
const passing = ['IF', 'SWITCH', 'IS_ERROR', 'BLANK', 'ERROR', 'T', 'COUNTALL', 'COUNTA', 'COUNT']

describe('the steps of a formula', () => {
  test.each([...formulaFunctions.values()].filter(({ name }) => !passing.includes(name)))(
    '[FORMULA-43] grow with what $name is given, and not faster',
    ({ name, argumentsMin, argumentsMax }) => {
      for (const call of callsOf(name, argumentsMin, argumentsMax)) {
        const small = stepsOf(call, 100)
        const great = stepsOf(call, 1_000)
        if (small === undefined || great === undefined) continue
        expect(great, call).toBeGreaterThanOrEqual(500)
        // A search takes steps for each character and each instruction of the pattern.
        const most = name === 'REGEXP_REPLACE' ? 120 : 12
        expect(great, call).toBeLessThanOrEqual(small * most)
      }
    },
  )

  test.each(['&', '+', '-', '=', '!=', '<', '>='])(
    '[FORMULA-43] grow with what stands beside %s',
    (operator) => {
      for (const value of large) {
        for (const formula of [`{${value}} ${operator} {half}`, `{half} ${operator} {${value}}`]) {
          const great = stepsOf(formula, 1_000)
          if (great !== undefined) expect(great, formula).toBeGreaterThanOrEqual(500)
        }
      }
    },
  )

  test.each(['COUNTALL', 'COUNTA', 'COUNT'])('[FORMULA-43] grow with the list of %s', (name) => {
    expect(stepsOf(`${name}({texts})`, 1_000)).toBeGreaterThanOrEqual(1_000)
  })

  test('[FORMULA-43] are one at least for each part of the formula', () => {
    expect(stepsOf('1 + 2 * {number}', 2)).toBeGreaterThanOrEqual(5)
    expect(stepsOf(`${'1+'.repeat(999)}1`, 2)).toBeGreaterThanOrEqual(1_000)
  })

  test.each([
    ['{same}', 1],
    ['IF(1, {half}, "")', 0.5],
    ['{dates}', 80],
    ['COUNTA({dates})', 40],
    ['ARRAY_UNIQUE({numbers})', 20],
    ['{numbers} & ""', 40],
  ])('[FORMULA-43] of %s count what is read, and what becomes the cell', (formula, perPart) => {
    expect(stepsOf(formula, 1_000)).toBeGreaterThanOrEqual(1_000 * perPart)
  })

  test('[FORMULA-43] end at those that a formula may take', () => {
    const cells = cellsOf(200_000)
    let steps = 0
    const formula = `${'LEN({same}) + '.repeat(400)}1`
    const value = compileIn(formula, { cells }).evaluate(rowOf({ cells }), (taken) => {
      steps += taken
    })
    expect(value).toBeNull()
    expect(steps).toBeGreaterThan(3_000_000)
    expect(steps).toBeLessThan(4_100_000)
  })

  test('[FORMULA-43] end a replacement in which each search goes to the end of the text', () => {
    const cells = cellsOf(5_000)
    let steps = 0
    const formula = compileIn('REGEXP_REPLACE({same}, "a(?:.*b)?", "c")', { cells })
    const value = formula.evaluate(rowOf({ cells }), (taken) => {
      steps += taken
    })
    expect(value).toBeNull()
    expect(steps).toBeGreaterThan(3_900_000)
    expect(steps).toBeLessThan(4_100_000)
  })

  test('[FORMULA-43] are a dozen for each step of a pattern search', () => {
    // For each character the beginning, the character, and the end of the match.
    expect(stepsOf('REGEXP_REPLACE({same}, "a", "")', 1_000)).toBeGreaterThanOrEqual(12 * 3 * 1_000)
  })
})
