import { evaluateIn, type FormulaCell } from '@gateleg/testing/factories/formula-world'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roundAt, toEven, toOdd } from './rounding.ts'

const cells: Readonly<Record<string, FormulaCell>> = {
  list: { type: 'number', value: [3, null, 1] },
  texts: { type: 'string', value: ['2', 'x', null] },
  boxes: { type: 'boolean', value: [true, false, true] },
  none: { type: 'number', value: null },
  dates: {
    type: 'dateTime',
    value: ['2024-03-05T00:00:00.000Z', null, '2024-01-01T00:00:00.000Z'],
  },
  noDate: { type: 'dateTime', value: null },
}

const evaluate = (formula: string) => evaluateIn(formula, { cells })

describe('numeric functions', () => {
  it.each([
    ['SUM(1,2,3.5)', 6.5],
    ['SUM({list},{texts},{boxes},{none},"x")', 8],
    ['SUM({none})', 0],
    ['SUM("")', 0],
    ['AVERAGE({list})', 2],
    ['AVERAGE(1,2,{none},"x")', 1.5],
    ['AVERAGE({none})', null],
    ['MAX({list},{texts})', 3],
    ['MIN({list},{texts})', 1],
    ['MIN({none})', null],
    ['MAX(-1,{none})', -1],
    ['MAX({dates})', '2024-03-05T00:00:00.000Z'],
    ['MIN({dates},"2023-12-31","x",{noDate})', '2023-12-31T00:00:00.000Z'],
    ['MAX({noDate})', null],
  ])('[FORMULA-50] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['AVERAGE(POWER(10,308),POWER(10,308))', 1e308],
    ['AVERAGE(-POWER(10,308),-POWER(10,308),-POWER(10,308))', -1e308],
    ['AVERAGE(POWER(10,308),POWER(10,308),-POWER(10,308),-POWER(10,308))', 0],
    ['SUM(POWER(10,308),POWER(10,308))', null],
  ])('[FORMULA-310] [FORMULA-32] %s is %j', (formula, value) => {
    const result = evaluate(formula)
    if (value === null) expect(result).toBeNull()
    else expect(Number(result) / 1e308).toBeCloseTo(value / 1e308, 12)
  })

  it.each([
    ['ROUND(1.005,2)', 1.01],
    ['ROUND(2.5)', 3],
    ['ROUND(16.8,-1)', 20],
    ['ROUND(1.5,{none})', 2],
    ['ROUND(2.345,1.9)', 2.3],
    ['ROUND(0.00000015,7)', 2e-7],
    ['ROUND(1.5,400)', 1.5],
    ['ROUND(1.5,1000000)', 1.5],
    ['ROUND(1.5,-400)', 0],
    ['ROUNDUP(1.1)', 2],
    ['ROUNDUP(-1.1)', -2],
    ['ROUNDUP(1.001,2)', 1.01],
    ['ROUNDDOWN(1.9)', 1],
    ['ROUNDDOWN(-1.9)', -1],
    ['ROUNDDOWN(1.2,1)', 1.2],
    ['CEILING(2.49)', 3],
    ['CEILING(2.49,1)', 2.5],
    ['CEILING(-2.5)', -2],
    ['FLOOR(2.49)', 2],
    ['FLOOR(2.49,1)', 2.4],
    ['FLOOR(1.1,1)', 1.1],
    ['FLOOR(1234,-2)', 1200],
  ])('[FORMULA-51] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['CEILING(5,-400)', null],
    ['ROUNDUP(-5,-400)', null],
    ['FLOOR(-5,-330)', null],
    ['FLOOR(5,-400)', 0],
    ['CEILING(-5,-400)', 0],
    ['ROUNDDOWN(-5,-400)', 0],
    ['CEILING(0,-400)', 0],
    ['CEILING(5,-300)', 1e300],
  ])('[FORMULA-304] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each(['LOG(8,0)', 'LOG(0.5,0)', 'LOG(1,0)', 'LOG(0,0)'])(
    '[FORMULA-305] %s has no value',
    (formula) => {
      expect(evaluate(formula)).toBeNull()
    },
  )

  it('[FORMULA-51] leaves numbers as they are that have nothing to round', () => {
    for (const value of [123_456_789_012_345_680, -(2 ** 60), 1e21, 2 ** 70, 0.5, -0]) {
      for (const round of [Math.round, Math.ceil, Math.floor]) {
        for (const places of [1, 2, 9, 400]) expect(roundAt(value, places, round)).toBe(value)
      }
    }
    expect(roundAt(1234.5, -2, Math.ceil)).toBe(1300)
  })

  it('[FORMULA-51] never changes a number of up to 15 digits by rounding it twice', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(value, fc.integer({ min: -9, max: 6 }), (each, places) => {
        for (const round of [Math.round, Math.floor, Math.ceil, Math.trunc]) {
          const once = roundAt(each, places, round)
          expect(roundAt(once, places, round)).toBe(once)
        }
      }),
    )
  })

  it.each([
    ['EVEN(3)', 4],
    ['EVEN(0.1)', 2],
    ['EVEN(0)', 0],
    ['ODD(0)', 1],
    ['ODD(0.1)', 1],
    ['ODD(-0.1)', -1],
    ['ODD(3)', 3],
    ['ODD(1.5)', 3],
    ['INT(2.9)', 2],
    ['INT(-2.1)', -3],
  ])('[FORMULA-52] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-52] always gives the nearest even or odd number that is no nearer to zero', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        expect(Math.abs(toEven(value)) % 2).toBe(0)
        expect(Math.abs(toOdd(value)) % 2).toBe(1)
        for (const found of [toEven(value), toOdd(value)]) {
          expect(Math.abs(found)).toBeGreaterThanOrEqual(Math.abs(value))
          expect(Math.abs(found) - Math.abs(value)).toBeLessThanOrEqual(2)
        }
      }),
    )
  })

  it.each([
    ['MOD(9,2)', 1],
    ['MOD(9,3)', 0],
    ['MOD(9,-2)', -1],
    ['MOD(-9,-2)', -1],
    ['MOD(5.5,2)', 1.5],
    ['MOD(1,{none})', null],
    ['9%-2', 1],
    ['-9%2', -1],
  ])('[FORMULA-53] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['LOG(1000)', 3],
    ['LOG(1024,2)', 10],
    ['LOG(9,3)', 2],
    ['LOG(9,1)', null],
    ['LOG(-1)', null],
    ['EXP(0)', 1],
    ['POWER(2,10)', 1024],
    ['POWER(-8,1/3)', null],
    ['ABS(-1.5)', 1.5],
    ['SQRT(4)', 2],
    ['ABS({none})', null],
    ['LOG({none})', null],
    ['ROUND({none},1)', null],
    ['POWER({none},2)', null],
    ['EVEN({none})', null],
  ])('[FORMULA-54] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['VALUE("$1,000,000")', 1_000_000],
    ['VALUE(" -1.5 ")', -1.5],
    ['VALUE("25.6%")', 0.256],
    ['VALUE("€ 3")', 3],
    ['VALUE("1,23")', null],
    ['VALUE("1 2")', null],
    ['VALUE(12)', 12],
    ['VALUE({none})', null],
    ['VALUE({texts})', null],
  ])('[FORMULA-55] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })
})
