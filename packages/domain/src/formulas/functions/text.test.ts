import { evaluateIn, type FormulaCell } from '@gateleg/testing/factories/formula-world'
import { describe, expect, it } from 'vitest'

const cells: Readonly<Record<string, FormulaCell>> = {
  none: { type: 'string', value: null },
  list: { type: 'string', value: ['a', null, 'b'] },
  number: { type: 'number', value: 1.5 },
}

const evaluate = (formula: string) => evaluateIn(formula, { cells })

describe('text functions', () => {
  it.each([
    ['LEN("a😀é")', 3],
    ['LEFT("😀b",1)', '😀'],
    ['RIGHT("a😀😀",2)', '😀😀'],
    ['MID("a😀b😀c",1,3)', '😀b😀'],
    ['REPLACE("😀b",1,1,"x")', 'xb'],
    ['FIND("b","😀b")', 2],
    ['FIND("b","😀b😀b",3)', 4],
    ['LEN(REPT("😀",10))', 10],
  ])('[FORMULA-60] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['FIND("a","banana")', 2],
    ['FIND("a","banana",3)', 4],
    ['FIND("a","banana",-5)', 2],
    ['FIND("a","banana",7)', 0],
    ['FIND("","banana")', 1],
    ['FIND("a",{none})', 0],
    ['SEARCH("a","banana",3)', 4],
    ['SEARCH("a",{none})', null],
    ['FIND(5,{number})', 3],
  ])('[FORMULA-61] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['MID("Hello Table",6,5)', 'Table'],
    ['MID("abc",0,2)', 'ab'],
    ['MID("abc",-1,2)', 'ab'],
    ['MID("abc",1,-1)', null],
    ['MID("abc",9,1)', null],
    ['REPLACE("Hello Table",7,5,"World")', 'Hello World'],
    ['REPLACE("abc",1,0,"x")', 'xabc'],
    ['REPLACE("abc",9,1,"x")', 'abcx'],
    ['REPLACE("abc",2,1,{none})', 'ac'],
    ['LEFT("abc",2)', 'ab'],
    ['LEFT("abc")', 'a'],
    ['LEFT("abc",9)', 'abc'],
    ['LEFT("abc",-1)', null],
    ['LEFT("abc",1.9)', 'a'],
    ['RIGHT("abc",2)', 'bc'],
    ['RIGHT("abc")', 'c'],
    ['RIGHT("abc",9)', 'abc'],
    ['RIGHT("abc",-1)', null],
  ])('[FORMULA-62] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['SUBSTITUTE("Hello Table","Table","World")', 'Hello World'],
    ['SUBSTITUTE("aaa","a","b")', 'bbb'],
    ['SUBSTITUTE("aaa","a","b",3)', 'aab'],
    ['SUBSTITUTE("aaa","a","b",4)', 'aaa'],
    ['SUBSTITUTE("aaa","a","b",0)', 'aaa'],
    ['SUBSTITUTE("aaa","aa","b")', 'ba'],
    ['SUBSTITUTE("aaa","","b")', 'aaa'],
    ['SUBSTITUTE("aba","b",{none})', 'aa'],
    ['SUBSTITUTE("a.c",".","$&")', 'a$&c'],
  ])('[FORMULA-63] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['CONCATENATE("a",1,TRUE,{none},{list})', 'a1truea, b'],
    ['CONCATENATE({none})', null],
    ['UPPER({list})', 'A, B'],
    ['LEN({list})', 4],
  ])('[FORMULA-64] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-65] gives what stands before and between delimiters', () => {
    expect(evaluate('TEXTBEFORE("a-b-c","-")')).toBe('a')
    expect(evaluate('TEXTBEFORE("abc","-")')).toBeNull()
    expect(evaluate('TEXTBEFORE("abc",{none})')).toBeNull()
    expect(evaluate('TEXTSPLIT("a-b--c","-")')).toEqual(['a', 'b', '', 'c'])
    expect(evaluate('TEXTSPLIT("abc","-")')).toEqual(['abc'])
    expect(evaluate('TEXTSPLIT("abc","")')).toEqual(['abc'])
    expect(evaluate('TEXTSPLIT({none},"-")')).toBeNull()
  })

  it.each([
    ['ENCODE_URL_COMPONENT("Hello Table")', 'Hello%20Table'],
    ['ENCODE_URL_COMPONENT("aZ09-_.~")', 'aZ09-_.~'],
    ['ENCODE_URL_COMPONENT("!\'()*&=/é😀")', '%21%27%28%29%2A%26%3D%2F%C3%A9%F0%9F%98%80'],
  ])('[FORMULA-66] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-66] encodes the halves of a character that a cell should not hold', () => {
    const half = { type: 'string' as const, value: '\ud83d' }
    expect(evaluateIn('ENCODE_URL_COMPONENT({half})', { cells: { half } })).toBe('%EF%BF%BD')
    expect(evaluateIn('{half}', { cells: { half } })).toBe('\ufffd')
  })

  it.each([
    ['T("x")', 'x'],
    ['T({number})', null],
    ['T(TRUE)', null],
    ['T({list})', 'a, b'],
  ])('[FORMULA-67] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['LOWER("ÀB")', 'àb'],
    ['UPPER("àß")', 'ÀSS'],
    ['TRIM("\\t a  b\\n")', 'a  b'],
    ['REPT("ab",3)', 'ababab'],
    ['REPT("ab",-1)', null],
    ['REPT("ab",1.9)', 'ab'],
    ['REPT("",1000000)', null],
    ['UPPER({none})', null],
    ['UPPER({none})=BLANK()', true],
    ['LEFT({none},1)=BLANK()', true],
    ['REPT({none},2)=BLANK()', true],
    ['REPLACE({none},1,1,"x")', null],
    ['LEN({none})', 0],
  ])('[FORMULA-68] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['REGEXP_REPLACE("Hello Table","H.* ","")', 'Table'],
    ['REGEXP_REPLACE("a1b22","(\\d+)","<$1>")', 'a<1>b<22>'],
    ['REGEXP_REPLACE("abc","b",{none})', 'ac'],
    ['REGEXP_REPLACE("abc",{none},"x")', 'abc'],
    ['REGEXP_REPLACE({none},"b","x")', null],
    ['REGEXP_REPLACE({number},"\\.",",")', '1,5'],
  ])('[FORMULA-70] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['REGEXP_REPLACE("abc","","-")', '-a-b-c-'],
    ['REGEXP_REPLACE("abc",BLANK(),"-")', 'abc'],
  ])('[FORMULA-311] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-70] takes the pattern of each record by itself', () => {
    const found = ['a', 'b', 'b', null, '(?=', 'c'].map((value) =>
      evaluateIn('REGEXP_REPLACE("abc",{pattern},"x")', {
        cells: { pattern: { type: 'string', value } },
      }),
    )
    expect(found).toEqual(['xbc', 'axc', 'axc', 'abc', null, 'abx'])
  })
})
