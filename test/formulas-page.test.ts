import { readFileSync } from 'node:fs'
import { rollupExpressions } from '@gateleg/domain/fields/types/rollup'
import { formulaFunctions } from '@gateleg/domain/formulas/functions/formula-functions'
import { evaluateIn, type FormulaWorld } from '@gateleg/testing/factories/formula-world'
import { expect, test } from 'vitest'

/** The record that the page says its examples are computed for. */
const world: FormulaWorld = {
  now: '2024-03-05T10:20:30.000Z',
  autoNumber: 7,
  createdTime: '2024-01-01T00:00:00.000Z',
  lastModifiedTime: '2024-03-05T10:20:30.000Z',
  cells: {
    Title: { type: 'string', value: 'Café au lait' },
    Price: { type: 'number', value: 12.5 },
    Due: { type: 'dateTime', value: '2024-03-29T00:00:00.000Z' },
    Scores: { type: 'number', value: [4, 5, null, 4] },
    Tags: { type: 'string', value: ['a', 'b', '', 'a'] },
  },
}

/** What the page about fields says that its examples are computed for. */
const rollupWorld: FormulaWorld = { cells: { values: { type: 'number', value: [4, 5, null] } } }

const row = /^\| `(\w+)\(.*?\)` +\|.*\| `(.+?)` +\| `(.+?)` +\|$/gm
const rows = [...readFileSync('docs/formulas.md', 'utf8').matchAll(row)]

test('the page about formulas has a row for every function, and for no other', () => {
  const named = rows.map(([, name]) => name)
  expect(named.toSorted()).toEqual([...formulaFunctions.keys()].toSorted())
})

test('every example of the page about formulas uses its function and gives the value beside it', () => {
  for (const [, name = '', example = '', value = ''] of rows) {
    expect(example).toContain(`${name}(`)
    expect({ example, value: evaluateIn(example, world) }).toEqual({
      example,
      value: JSON.parse(value),
    })
  }
})

test('what the page about formulas says of a text as a number is so', () => {
  const page = readFileSync('docs/formulas.md', 'utf8')
  const [, table = ''] = /### Text as a number\n([\s\S]*?)\n#/.exec(page) ?? []
  const lines = [...table.matchAll(/^\| (`.+?) +\| (.+?) +\| (.+?) +\|$/gm)]
  expect(lines.length).toBeGreaterThan(4)
  const toValue = (told = '') => (told === 'no value' ? null : Number(/`(.+?)`/.exec(told)?.[1]))
  for (const [, texts = '', plain, byValue] of lines) {
    for (const [, text = ''] of texts.matchAll(/`([^`]+)`/g)) {
      const cells = { Text: { type: 'string', value: text } } as const
      const values = ['{Text} * 2', 'VALUE({Text}) * 2'].map((each) => evaluateIn(each, { cells }))
      expect([text, ...values]).toEqual([text, toValue(plain), toValue(byValue)])
    }
  }
})

test('what the pages say of exponents, decimal commas and dates in formulas is so', () => {
  const price = { cells: { Price: { type: 'string', value: '1.234,56' } } } as const
  for (const [formula, value] of [
    ['1e3', 1],
    ['POWER(10, 3)', 1000],
    ['DATESTR("5/3/2026")', '2026-05-03'],
    ['DATESTR("05.03.2026")', '2026-05-03'],
    ['DATESTR("31/12/2026")', null],
    ['DATESTR(DATETIME_PARSE("31/12/2026", "D/M/YYYY"))', '2026-12-31'],
    ['VALUE(SUBSTITUTE(SUBSTITUTE({Price}, ".", ""), ",", "."))', 1234.56],
  ] as const) {
    expect([formula, evaluateIn(formula, price)]).toEqual([formula, value])
  }
})

test('the page about fields has a row for every rollup, with the value that it gives', () => {
  const page = readFileSync('docs/fields.md', 'utf8')
  const told = [...page.matchAll(/^\| `(\w+\(\{values\}\))` +\|.*\| `(.+?)` +\|$/gm)]
  const byExpression = new Map(told.map(([, expression = '', value = '']) => [expression, value]))
  expect([...byExpression.keys()].toSorted()).toEqual(rollupExpressions.toSorted())
  for (const [expression, value] of byExpression) {
    const worked = evaluateIn(expression, rollupWorld)
    expect({ expression, value: worked }).toEqual({ expression, value: JSON.parse(value) })
  }
})
