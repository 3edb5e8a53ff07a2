import { compileIn, evaluateIn, refusalOf } from '@gateleg/testing/factories/formula-world'
import { describe, expect, it } from 'vitest'
import type { FormulaType, FormulaValue } from './formula-type.ts'

const day = (date: string) => `${date}T00:00:00.000Z`

const measured: readonly (readonly [formula: string, value: FormulaValue])[] = [
  ['1/0', null],
  ['5%0', null],
  ['MOD(5,0)', 0],
  ['BLANK()+1', 1],
  ['BLANK()*2', 0],
  ['BLANK()=""', false],
  ['BLANK()=0', false],
  ['BLANK()>0', false],
  ['BLANK()&"x"', 'x'],
  ['1+"a"', '1a'],
  ['1&2', '12'],
  ['"a"&1+2', 'a3'],
  ['1+2*3', 7],
  ['TRUE+1', 2],
  ['1="1"', true],
  ['"a"="A"', false],
  ['-"a"', null],
  ['SWITCH(2,1,"a",2,"b","z")', 'b'],
  ['SWITCH(9,1,"a")', null],
  ['FIND("b","abc")', 2],
  ['FIND("z","abc")', 0],
  ['FIND("B","abc")', 0],
  ['SEARCH("z","abc")', null],
  ['SEARCH("B","abc")', null],
  ['MID("abcdef",2,3)', 'cde'],
  ['REPLACE("abcdef",2,3,"X")', 'aXef'],
  ['SUBSTITUTE("aaa","a","b",2)', 'aba'],
  ['TRIM("  a b  ")', 'a b'],
  ['T(1)', null],
  ['T("x")', 'x'],
  ['ROUND(2.345,2)', 2.35],
  ['ROUND(-2.5)', -2],
  ['ROUNDDOWN(-1.09,1)', -1],
  ['INT(-2.5)', -3],
  ['FLOOR(-2.1)', -3],
  ['CEILING(2.123,2)', 2.13],
  ['EVEN(1.1)', 2],
  ['EVEN(-1.1)', -2],
  ['ODD(2)', 3],
  ['ODD(-2)', -3],
  ['MOD(-5,3)', 2],
  ['SQRT(-1)', null],
  ['LOG(8,2)', 3],
  ['LOG(100)', 2],
  ['VALUE("1,234.5")', 1234.5],
  ['VALUE("$5")', 5],
  ['VALUE("x")', null],
  ['SUM(1,"2")', 3],
  ['COUNTA("",1)', 1],
  ['COUNT("",1)', 1],
  ['AND(1,"")', false],
  ['NOT(0)', true],
  ['XOR(1,1)', false],
  ['ERROR("x")', null],
  ['IS_ERROR(ERROR("x"))', true],
  ['WEEKDAY("2024-03-05")', 2],
  ['WEEKDAY("2024-03-05","Monday")', 1],
  ['WEEKNUM("2024-03-05")', 10],
  ['DATETIME_DIFF("2024-03-07","2024-03-05","day")', 2],
  ['DATETIME_DIFF("2024-03-05","2024-03-07")', -2],
  ['DATE_ADD("2024-01-31",1,"month")', day('2024-02-29')],
  ['WORKDAY("2024-03-01",3)', day('2024-03-06')],
  ['WORKDAY_DIFF("2024-03-01","2024-03-05")', 3],
  ['DATESTR("2024-03-05T10:20:30Z")', '2024-03-05'],
  ['TIMESTR("2024-03-05T10:20:30Z")', '10:20:30'],
  ['DATETIME_FORMAT("2024-03-05","DD/MM/YYYY")', '05/03/2024'],
  ['1e3', 1],
  ['1 // one', 1],
  ['1 /* one */', 1],
  ['TRUE', true],
  ['true', true],
  ['sum(1,2)', 3],
]

describe('the values that were measured', () => {
  it.each(measured)('[FORMULA-30] %s', (formula, value) => {
    expect(evaluateIn(formula)).toBe(value)
  })

  it('[FORMULA-30] gives the other branch as text when one is text', () => {
    const formula = 'IF(1>2,"a",3)'
    expect(compileIn(formula).type).toEqual({ scalar: 'string', isMultiple: false })
    expect(evaluateIn(formula)).toBe('3')
  })

  it.each([
    ['IF(0,1)', 'IF takes 3 arguments, not 2'],
    ['COUNTALL("",1)', 'COUNTALL takes 1 argument, not 2'],
    ['1+', 'Expected a value, found the end'],
    ['FOO(1)', 'There is no function FOO'],
    ['{fldNope}+1', 'There is no field "fldNope" here'],
    ['!1', '"!" has no meaning here; "not" is NOT(...)'],
    ['.5', '"." has no meaning here; a decimal begins with a digit: 0.5'],
  ])('[FORMULA-30] refuses %s', (formula, reason) => {
    expect(refusalOf(formula)?.reason).toBe(reason)
  })

  const types: readonly (readonly [FormulaType['scalar'], readonly string[]])[] = [
    ['number', ['1', '1+1', 'SUM(1)', 'LEN("a")', 'YEAR("2024-01-01")', 'FIND("a","b")']],
    ['number', ['FROMNOW("2024-01-01","day")', 'COUNTA(1)', 'AUTO_NUMBER()', 'MAX(1,2)']],
    ['string', ['"a"', '1+"a"', '1&2', 'BLANK()', 'ERROR("x")', 'DATESTR("2024-01-01")']],
    ['string', ['TIMESTR(NOW())', 'ARRAY_JOIN(1)', 'RECORD_ID()', 'TEXT_ALL(1)', 'T(1)']],
    ['boolean', ['TRUE', '1>2', '1=2', 'AND(1)', 'IS_ERROR(1)', 'IS_SAME(NOW(),NOW())']],
    ['dateTime', ['TODAY()', 'NOW()', 'WORKDAY(NOW(),1)', 'DATE_ADD(NOW(),1,"day")']],
    ['dateTime', ['DATETIME_PARSE("2024")', 'CREATED_TIME()', 'MAX(NOW(),TODAY())']],
  ]
  it.each(types)('[FORMULA-30] gives a %s for each of %j', (scalar, formulas) => {
    const found = formulas.map((formula) => compileIn(formula).type)
    expect(found).toEqual(formulas.map(() => ({ scalar, isMultiple: false })))
  })
})
