import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinRows, printRow, readTabbedText } from './tabbed-text.ts'

const print = (rows: readonly (readonly string[])[]) => joinRows(rows.map(printRow))
const read = (text: string, most = 1_000) => [...readTabbedText(text, most)]

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ', ',', 'é') }),
  fc.string({ unit: 'grapheme' }),
)
/** Rows of the same number of cells. */
const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
    minLength: 1,
    maxLength: 5,
  }),
)

test('[SELECTION-6] always reads the cells again that were written', () => {
  fc.assert(
    fc.property(table, (rows) => {
      expect(read(print(rows))).toEqual(rows)
    }),
  )
})

test('[SELECTION-6] writes cells as spreadsheets do', () => {
  expect(
    print([
      ['a', 'b c'],
      ['"q"', 'x\ty'],
      ['', 'two\nlines'],
    ]),
  ).toBe('a\tb c\n"""q"""\t"x\ty"\n\t"two\nlines"')
})

test.each([
  ['', [['']]],
  ['a', [['a']]],
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\rb', [['a'], ['b']]],
  ['a\n\n', [['a'], ['']]],
  ['a\t\n', [['a', '']]],
  ['a\tb\nc', [['a', 'b'], ['c']]],
  ['12"\t5\' 3"', [['12"', '5\' 3"']]],
  ['"a\nb', [['"a'], ['b']]],
  ['"a\t""b', [['"a', 'b']]],
  ['"a"b\tc', [['ab', 'c']]],
  ['""""', [['"']]],
  ['"a\r\nb"', [['a\r\nb']]],
])('[SELECTION-6] reads %j', (text, rows) => {
  expect(read(text)).toEqual(rows)
})

test('[SELECTION-6] goes through a text once, whatever its quotes', () => {
  let steps = 0
  const indexOf = String.prototype.indexOf
  for (const unit of ['"\t', '"\t""', '"a\t', '"""\t']) {
    const text = unit.repeat(1_000)
    steps = 0
    String.prototype.indexOf = function (search: string, from = 0) {
      const found = indexOf.call(this, search, from)
      steps += (found === -1 ? this.length : found) - from + 1
      return found
    }
    try {
      read(text, 10_000)
    } finally {
      String.prototype.indexOf = indexOf
    }
    expect(steps).toBeLessThanOrEqual(4 * text.length)
  }
})

test('[SELECTION-6] ends a row that has more cells than are asked for', () => {
  const [first] = readTabbedText('\t'.repeat(1_000), 10)
  expect(first).toHaveLength(11)
})
