import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { castNumber, numberFromText } from './number-text.ts'

describe('a number in a text', () => {
  it.each([
    ['12', 12],
    [' -12.50 ', -12.5],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
    ['1,234.5', 1234.5],
    ['$5', 5],
    ['-$1,234.50', -1234.5],
    ['$-5', -5],
    ['5 €', 5],
    ['25.6%', 0.256],
    ['7%', 0.07],
    ['1.5e3', 1500],
    ['-0', 0],
  ])('[FIELD-70] %j is %d', (text, value) => {
    expect(numberFromText(text)).toBe(value)
  })

  it.each([
    '',
    'x',
    '-',
    '.',
    '$',
    '%',
    '1,2',
    '12,34',
    '1 2',
    '--1',
    '-$-1',
    '1e999',
    '0x10',
    'Infinity',
    '2024-03-05',
  ])('[FIELD-70] %j is none', (text) => {
    expect(numberFromText(text)).toBeUndefined()
  })

  it('[FIELD-70] may stand beside the symbol of the field', () => {
    expect(numberFromText('-CHF 1,200', 'CHF')).toBe(-1200)
    expect(numberFromText('12 kr', 'kr')).toBe(12)
    expect(numberFromText('12 kr')).toBeUndefined()
  })

  it('[FIELD-70] is the same whether it is written plainly or like money', () => {
    const plain = fc.stringMatching(/^-?[0-9]{1,25}(\.[0-9]{1,25})?$/)
    fc.assert(
      fc.property(plain, (text) => {
        expect(numberFromText(text)).toBe(numberFromText(`${text} €`))
      }),
    )
    expect(numberFromText('9'.repeat(400))).toBeUndefined()
  })

  it('[FIELD-70] may be any JSON value that shows one', () => {
    expect([true, false, 1.5, ['7'], { title: '8' }].map((value) => castNumber(value))).toEqual([
      1, 0, 1.5, 7, 8,
    ])
    expect(castNumber({})).toBeUndefined()
    expect(castNumber(Number.POSITIVE_INFINITY)).toBeUndefined()
  })
})
