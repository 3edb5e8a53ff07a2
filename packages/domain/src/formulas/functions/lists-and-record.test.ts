import { evaluateIn, type FormulaCell } from '@gateleg/testing/factories/formula-world'
import { describe, expect, it } from 'vitest'

const cells: Readonly<Record<string, FormulaCell>> = {
  texts: { type: 'string', value: ['b', 'a', null, '', 'b'] },
  numbers: { type: 'number', value: [2, null, 1, 2], format: (value) => `${value} kg` },
  dates: { type: 'dateTime', value: ['2024-03-05T00:00:00.000Z', null] },
  boxes: { type: 'boolean', value: [true, false] },
  noList: { type: 'number', value: null, isMultiple: true },
  none: { type: 'number', value: null },
}

const evaluate = (formula: string, world = {}) => evaluateIn(formula, { cells, ...world })

describe('functions of lists', () => {
  it.each([
    ['COUNTALL({texts})', 5],
    ['COUNTALL("")', 1],
    ['COUNTALL({none})', 0],
    ['COUNTALL({noList})', 0],
    ['COUNTA({texts},{numbers},0,FALSE)', 8],
    ['COUNTA({none},"",{noList})', 0],
    ['COUNT({texts},{numbers},1,"1",TRUE,{dates})', 4],
    ['COUNT({none})', 0],
  ])('[FORMULA-95] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['ARRAY_UNIQUE({texts})', ['b', 'a', null, '']],
    ['ARRAY_UNIQUE({numbers},1,3)', [2, null, 1, 3]],
    ['ARRAY_COMPACT({texts})', ['b', 'a', 'b']],
    ['ARRAY_COMPACT({boxes})', [true, false]],
    ['ARRAY_FLATTEN({numbers},{noList},{none},5)', [2, null, 1, 2, 5]],
    ['ARRAY_FLATTEN({numbers},"x")', ['2', null, '1', '2', 'x']],
    ['ARRAY_FLATTEN({dates})', ['2024-03-05T00:00:00.000Z', null]],
    ['ARRAY_FLATTEN({none})', null],
    ['IF(1,5,{numbers})', [5]],
    ['IF(0,5,{noList})', null],
  ])('[FORMULA-96] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toEqual(value)
  })

  it.each([
    ['ARRAY_JOIN({numbers})', '2, 1, 2'],
    ['ARRAY_JOIN({texts},"; ")', 'b; a; ; b'],
    ['ARRAY_JOIN({texts},"")', 'bab'],
    ['ARRAY_JOIN("x")', 'x'],
    ['ARRAY_JOIN({noList})', null],
  ])('[FORMULA-96] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['TEXT_ALL({numbers})', ['2', null, '1', '2']],
    ['TEXT_ALL(1+1)', '2'],
    ['TEXT_ALL({noList})', null],
  ])('[FORMULA-97] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toEqual(value)
  })

  it.each([
    ['AND({boxes})', false],
    ['OR({boxes})', true],
    ['XOR({boxes},1)', false],
    ['XOR({boxes},1,1)', true],
    ['AND({noList})', false],
    ['AND(1,"a",{texts})', false],
    ['AND({dates})', false],
    ['OR({dates})', true],
    ['AND(1,TRUE,"x")', true],
    ['OR(0,"",FALSE)', false],
  ])('[FORMULA-99] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })
})

describe('functions about the record', () => {
  it.each([
    ['RECORD_ID()', 'recAAAAAAAAAAAAAAAA'],
    ['AUTO_NUMBER()', 7],
    ['CREATED_TIME()', '2024-01-01T00:00:00.000Z'],
    ['LAST_MODIFIED_TIME()', null],
  ])('[FORMULA-98] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-98] tells when the record was changed', () => {
    const lastModifiedTime = '2024-02-03T04:05:06.789Z'
    expect(evaluate('LAST_MODIFIED_TIME()', { lastModifiedTime })).toBe(lastModifiedTime)
  })
})
