import { finiteNumber } from '@gateleg/testing/arbitraries/field-options'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatNumber } from './number-format.ts'
import { type NumberFormatting, numberFormattingSchema } from './number-formatting.ts'
import { numberFromText } from './number-text.ts'

const decimal = (precision: number): NumberFormatting => ({ type: 'decimal', precision })
const percent = (precision: number): NumberFormatting => ({ type: 'percent', precision })
const currency = (precision: number, symbol = '$'): NumberFormatting => ({
  type: 'currency',
  precision,
  symbol,
})

describe('the text of a number', () => {
  it.each([
    [1234.567, 2, '1234.57'],
    [1.005, 2, '1.01'],
    [-1.005, 2, '-1.01'],
    [1.004999, 2, '1.00'],
    [0.5, 0, '1'],
    [-0.5, 0, '-1'],
    [9.995, 2, '10.00'],
    [0.05, 1, '0.1'],
    [7, 0, '7'],
    [7, 5, '7.00000'],
    [1000000, 2, '1000000.00'],
  ])('[FIELD-66] shows %d with %d decimals as %s', (value, precision, text) => {
    expect(formatNumber(value, decimal(precision))).toBe(text)
  })

  it.each([
    [0.256, 1, '25.6%'],
    [0.07, 0, '7%'],
    [1.1, 0, '110%'],
    [0.01005, 2, '1.01%'],
    [-0.5, 0, '-50%'],
  ])('[FIELD-67] shows %d as a percentage with %d decimals as %s', (value, precision, text) => {
    expect(formatNumber(value, percent(precision))).toBe(text)
  })

  it.each([
    [-1234.5, 2, '$', '-$1,234.50'],
    [999.999, 2, '€', '€1,000.00'],
    [1234567, 0, 'kr ', 'kr 1,234,567'],
    [12, 1, '', '12.0'],
  ])(
    '[FIELD-68] shows %d as currency with %d decimals of %s as %s',
    (value, precision, symbol, text) => {
      expect(formatNumber(value, currency(precision, symbol))).toBe(text)
    },
  )

  it.each([
    [1e20, '100000000000000000000.00'],
    [1.5e21, '1500000000000000000000.00'],
    [123456789012345680, '123456789012345680.00'],
    [1.5e-7, '0.00'],
    [1.23456789e-7, '0.00'],
    [0, '0.00'],
    [-0.001, '0.00'],
    [5e-324, '0.00'],
  ])('[FIELD-69] shows %d as %s', (value, text) => {
    expect(formatNumber(value, decimal(2))).toBe(text)
  })

  it('[FIELD-69] never has an exponent, and always so many decimals', () => {
    const precisions = fc.integer({ min: 0, max: 5 })
    fc.assert(
      fc.property(finiteNumber, precisions, (value, precision) => {
        const form = precision === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${precision}}$`)
        expect(formatNumber(value, decimal(precision))).toMatch(form)
      }),
    )
  })

  it('[FIELD-66] is always within half a unit of its last place', () => {
    const thousandths = fc.integer({ min: -999_999_999, max: 999_999_999 })
    fc.assert(
      fc.property(thousandths, (count) => {
        const shown = Number(formatNumber(count / 1_000, decimal(2)).replace('.', ''))
        expect(Math.abs(shown)).toBe(Math.floor((Math.abs(count) + 5) / 10))
        expect(shown * count).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('[FIELD-71] is always read as the number that it shows', () => {
    const formattings = fc.oneof(
      fc.integer({ min: 0, max: 5 }).map(decimal),
      fc.integer({ min: 0, max: 5 }).map(percent),
      fc
        .tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom('$', '€', 'kr', 'R$'))
        .map(([precision, symbol]) => currency(precision, symbol)),
    )
    // Beyond fifteen digits in all, the number nearest to a text may be written differently.
    const values = fc.double({ min: -1e8, max: 1e8, noNaN: true })
    fc.assert(
      fc.property(values, formattings, (value, formatting) => {
        const text = formatNumber(value, formatting)
        const symbol = formatting.type === 'currency' ? formatting.symbol : ''
        const read = numberFromText(text, symbol)
        expect(read === undefined ? undefined : formatNumber(read, formatting)).toBe(text)
      }),
    )
  })
})

describe('the formatting of numbers', () => {
  it('[FIELD-72] has a precision from 0 to 5, else 2', () => {
    expect(numberFormattingSchema.parse({ type: 'percent' })).toEqual(percent(2))
    for (const precision of [-1, 6, 1.5, '2']) {
      expect(numberFormattingSchema.safeParse({ type: 'decimal', precision }).success).toBe(false)
    }
  })

  it('[FIELD-72] has a symbol for currency alone', () => {
    const symbol = '$'
    expect(numberFormattingSchema.parse({ type: 'currency', symbol })).toEqual(currency(2))
    expect(numberFormattingSchema.safeParse({ type: 'currency' }).success).toBe(false)
    expect(numberFormattingSchema.safeParse({ type: 'decimal', symbol }).success).toBe(false)
    const long = { type: 'currency', symbol: 'x'.repeat(11) }
    expect(numberFormattingSchema.safeParse(long).success).toBe(false)
  })
})
