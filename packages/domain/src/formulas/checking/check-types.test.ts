import {
  compileIn,
  evaluateIn,
  type FormulaCell,
  refusalOf,
} from '@gateleg/testing/factories/formula-world'
import { describe, expect, it } from 'vitest'
import type { FormulaType } from '../formula-type.ts'

const cells: Readonly<Record<string, FormulaCell>> = {
  text: { type: 'string', value: 'a' },
  number: { type: 'number', value: 1 },
  box: { type: 'boolean', value: true },
  date: { type: 'dateTime', value: '2024-03-05T00:00:00.000Z' },
  texts: { type: 'string', value: ['a', 'b'] },
  numbers: { type: 'number', value: [1, 2] },
  dates: { type: 'dateTime', value: ['2024-03-05T00:00:00.000Z'] },
}

function typeOf(formula: string): string {
  const { scalar, isMultiple }: FormulaType = compileIn(formula, { cells }).type
  return isMultiple ? `${scalar} list` : scalar
}

describe('checking types', () => {
  it.each([
    ['{number}+{number}', 'number'],
    ['{number}+{box}', 'number'],
    ['{number}+BLANK()', 'number'],
    ['{number}+{text}', 'string'],
    ['{date}+1', 'string'],
    ['{numbers}+1', 'number'],
    ['{text}+1-1', 'number'],
    ['{text}-1', 'number'],
    ['-{text}', 'number'],
    ['{number}&{number}', 'string'],
    ['{number}>{text}', 'boolean'],
    ['{texts}&&{date}', 'boolean'],
  ])('[FORMULA-22] gives %s the type %s', (formula, type) => {
    expect(typeOf(formula)).toBe(type)
  })

  it.each([
    ['IF(1,{number},2)', 'number'],
    ['IF(1,{number},"a")', 'string'],
    ['IF(1,{date},BLANK())', 'dateTime'],
    ['IF(1,BLANK(),{box})', 'boolean'],
    ['IF(1,{number},{numbers})', 'number list'],
    ['IF(1,{text},{numbers})', 'string list'],
    ['SWITCH(1,"a",{number})', 'number'],
    ['SWITCH(1,"a",{number},"b",BLANK(),{number})', 'number'],
    ['SWITCH(1,"a",{number},{text})', 'string'],
    ['SWITCH(1,{date})', 'dateTime'],
    ['ARRAY_UNIQUE({number})', 'number list'],
    ['ARRAY_FLATTEN({dates},BLANK())', 'dateTime list'],
    ['ARRAY_COMPACT({numbers},{text})', 'string list'],
    ['TEXT_ALL({numbers})', 'string list'],
    ['TEXT_ALL({number})', 'string'],
    ['TEXTSPLIT({text},",")', 'string list'],
  ])('[FORMULA-24] gives %s the type %s', (formula, type) => {
    expect(typeOf(formula)).toBe(type)
  })

  it.each([
    ['MAX({number},1)', 'number'],
    ['MAX({date})', 'dateTime'],
    ['MIN({dates},"2024-01-01")', 'dateTime'],
    ['MIN(BLANK(),{date})', 'dateTime'],
    ['MAX("2024-01-01")', 'number'],
  ])('[FORMULA-26] gives %s the type %s', (formula, type) => {
    expect(typeOf(formula)).toBe(type)
  })

  it.each([
    ['MAX({date},1)', "MAX: Dates and numbers can't be compared with each other", 0],
    ['MAX(1,{date})', "MAX: Dates and numbers can't be compared with each other", 0],
  ])('[FORMULA-26] refuses %s', (formula, reason, position) => {
    expect(refusalOf(formula, { cells })).toEqual({ reason, position })
  })

  it.each([
    ['{date}-1', 'To calculate with dates, use DATE_ADD and DATETIME_DIFF', 6],
    ['1*2%{date}', 'To calculate with dates, use DATE_ADD and DATETIME_DIFF', 3],
    ['-{date}', "A date can't be negated", 0],
    ['{date}>1', 'A date can be compared only with a date, or with text that holds one', 6],
    ['{box}={date}', 'A date can be compared only with a date, or with text that holds one', 5],
  ])('[FORMULA-23] refuses %s', (formula, reason, position) => {
    expect(refusalOf(formula, { cells })).toEqual({ reason, position })
  })

  it.each([
    ['ABS()', 'ABS takes 1 argument, not 0', 0],
    ['1+ABS(1,2)', 'ABS takes 1 argument, not 2', 2],
    ['LEFT()', 'LEFT takes 1 to 2 arguments, not 0', 0],
    ['SUM()', 'SUM takes at least 1 argument, not 0', 0],
    ['NOW(1)', 'NOW takes 0 arguments, not 1', 0],
    ['ROUND("a")', 'ROUND takes a single number here, not text', 6],
    ['ROUND({numbers})', 'ROUND takes a single number here, not a list (number)', 6],
    ['LEFT("a","b")', 'LEFT takes a single number here, not text', 9],
    ['SUM(1,2,{date})', 'SUM takes numbers here, not date', 8],
    ['YEAR(1)', 'YEAR takes a single date here, not number', 5],
    ['YEAR({dates})', 'YEAR takes a single date here, not a list (date)', 5],
    ['DATE_ADD({date},1,1)', /^DATE_ADD takes a unit: "millisecond", .* not number$/, 18],
    ['WORKDAY({date},1,1)', /^WORKDAY takes dates, or text .* not number$/, 17],
  ])('[FORMULA-25] refuses %s', (formula, reason, position) => {
    const refusal = refusalOf(formula, { cells })
    expect(refusal?.position).toBe(position)
    expect(refusal?.reason).toMatch(reason)
  })

  it.each([
    ['DATE_ADD({date},1,"fortnight")', /^DATE_ADD: Expected a unit: /, 18],
    ['WEEKDAY({date},"Tuesday")', 'WEEKDAY: Expected "Sunday" or "Monday"', 15],
    ['DATETIME_PARSE({text},"Q YYYY")', /^DATETIME_PARSE: "Q" can be written but not read/, 22],
    [`DATETIME_FORMAT({date},"${'x'.repeat(300)}")`, /at most 256 characters$/, 23],
    ['WORKDAY({date},1,"2024-12-25, Easter")', /^WORKDAY: "Easter" is not a date/, 17],
    ['REGEXP_REPLACE({text},"(a)\\\\1","")', /^REGEXP_REPLACE: The search pattern: "\\1"/, 22],
  ])('[FORMULA-27] refuses %s', (formula, reason, position) => {
    const refusal = refusalOf(formula, { cells })
    expect(refusal?.position).toBe(position)
    expect(refusal?.reason).toMatch(reason)
  })

  it.each([
    'DATE_ADD({date},1,{unfit})',
    'WEEKDAY({date},{unfit})',
    'DATETIME_PARSE("1 2024",{unfit})',
    'REGEXP_REPLACE("a",{unfit},"")',
    'DATETIME_DIFF({date},{date},{unfit})',
    'FROMNOW({date},{unfit})',
  ])('[FORMULA-27] gives null for %s of a cell', (formula) => {
    const unfit = { type: 'string' as const, value: '(?=Q)' }
    expect(evaluateIn(formula, { cells: { ...cells, unfit } })).toBeNull()
  })

  it('[FORMULA-29] gives text for a formula that is always empty', () => {
    expect(typeOf('IF(1,BLANK(),BLANK())')).toBe('string')
  })

  it('[FORMULA-13] refuses an id that names no field', () => {
    const refusal = { reason: 'There is no field "fldNope" here', position: 5 }
    expect(refusalOf('1 + ({fldNope})', { cells })).toEqual(refusal)
  })

  it.each(['constructor', '__proto__', 'toString'])('[FORMULA-13] knows no function %s', (name) => {
    expect(refusalOf(`${name}()`)?.reason).toBe(`There is no function ${name.toUpperCase()}`)
  })

  it.each([
    ['dateadd', 'did you mean DATE_ADD?'],
    ['CONCAT', 'did you mean CONCATENATE?'],
    ['REGEX_REPLACE', 'did you mean REGEXP_REPLACE?'],
    ['ISERROR', 'did you mean IS_ERROR?'],
    ['IFERROR', 'write IF(IS_ERROR(value), other, value)'],
    ['ISBLANK', 'write value = BLANK()'],
  ])('[FORMULA-13] says what %s is called here', (name, hint) => {
    const reason = `There is no function ${name.toUpperCase()}; ${hint}`
    expect(refusalOf(`${name}(1)`)?.reason).toBe(reason)
  })
})
