import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { cellRules, rulesWith } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { type Cell, Refusal } from '../cell.ts'
import { multipleSelect } from './multiple-select.ts'

const people = knownPeople({})
const choices = ['low', 'high', 'a, b'].map((name) => ({ name }))
const accepts = (options: unknown): boolean => multipleSelect.options.safeParse(options).success

describe('a multiple select', () => {
  const rules = cellRules(multipleSelect, { choices })

  it('[FIELD-87] holds names of choices in the order sent', () => {
    expect(rules.parse(['high', 'low'])).toEqual(['high', 'low'])
    expect(rules.parse([])).toBeNull()
    for (const value of ['high', ['high', 'high'], ['other'], [1], {}]) {
      expect(rules.parse(value)).toBeInstanceOf(Refusal)
    }
  })

  it('[FIELD-87] refuses a name that comes twice among many', () => {
    const many = Array.from({ length: 40 }, (_, index) => `choice ${index}`)
    const { parse } = cellRules(multipleSelect, { choices: many.map((name) => ({ name })) })
    expect(parse(many)).toEqual(many)
    expect(parse([...many.slice(1), many[5]])).toBeInstanceOf(Refusal)
  })

  it('[FIELD-88] splits a text and takes each name once', () => {
    const cast = (value: unknown) => rules.cast(value, { people })
    expect(cast('high, new,high, "a, b"')).toEqual(['high', 'new', 'a, b'])
    expect(cast(['high', ' high ', 7, '', null, 'x, y'])).toEqual(['high', '7', 'x, y'])
    expect(cast('high\nnew one\r\n\n"a, b"\nlow,x')).toEqual([
      'high',
      'new one',
      'a, b',
      'low',
      'x',
    ])
    expect(cast(['x\ny'])).toEqual(['x y'])
    expect(cast(' , \n')).toBeNull()
    expect(cast([])).toBeNull()
    expect(cast('x'.repeat(101))).toBeNull()
    const closed = cellRules(multipleSelect, { choices, preventAutoNewOptions: true })
    expect(closed.cast('high, new', { people })).toEqual(['high'])
  })

  it('[FIELD-88] takes as many names as there can be choices', () => {
    const names = Array.from({ length: 1_001 }, (_, index) => `choice ${index}`)
    expect(rules.cast(names, { people })).toEqual(names.slice(0, 1_000))
  })

  it('[FIELD-84] adds the choices that a cell lacks', () => {
    const options = multipleSelect.options.parse({ choices })
    const lacking = multipleSelect.choices?.missing(options, ['x', 'low', 'y']) ?? []
    expect(lacking).toEqual(['x', 'y'])
    const added = multipleSelect.choices?.add(options, lacking, new CountingIds())
    expect(rulesWith(multipleSelect, added).parse(['y', 'low'])).toEqual(['y', 'low'])
  })

  it('[FIELD-89] is shown with names that hold a comma in quotes', () => {
    expect(rules.format(['low', 'a, b'], people)).toBe('low, "a, b"')
  })

  it('[FIELD-91] has a default among its choices', () => {
    const context = { now: '2026-01-01T00:00:00.000Z', userId: 'usrAda' }
    const makeDefault = (defaultValue: unknown) =>
      cellRules(multipleSelect, { choices, defaultValue }).defaultCell?.(context)
    expect(makeDefault('low')).toEqual(['low'])
    expect(makeDefault(['low ', 'a, b'])).toEqual(['low', 'a, b'])
    expect(makeDefault([])).toBeUndefined()
    for (const defaultValue of ['Low', 'low, high', ['low', 'low'], ['x'], 1]) {
      expect(accepts({ choices, defaultValue })).toBe(false)
    }
  })

  it('[FIELD-92] sorts by the first choice, the next, then the number of them', () => {
    const cells = [['high'], ['low', 'a, b'], ['low', 'high'], ['low'], ['high', 'low']]
    const sorted = cells.toSorted((a: Cell, b: Cell) => rules.compare(a, b, people))
    expect(sorted).toEqual([['low'], ['low', 'high'], ['low', 'a, b'], ['high'], ['high', 'low']])
  })
})
