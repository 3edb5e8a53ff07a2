import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { cellRules, rulesWith } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { singleSelect } from './single-select.ts'

const people = knownPeople({})
const choices = [{ name: 'low' }, { name: 'high' }, { name: 'a, b' }]
const accepts = (options: unknown): boolean => singleSelect.options.safeParse(options).success

describe('a single select', () => {
  const rules = cellRules(singleSelect, { choices })

  it('[FIELD-85] holds the name of a choice', () => {
    expect(rules.parse('high')).toBe('high')
    for (const value of ['High', ' high', '', 'other', ['high'], 1]) {
      expect(rules.parse(value)).toBeInstanceOf(Refusal)
    }
    expect(rules.format('a, b', people)).toBe('a, b')
  })

  it('[FIELD-86] takes the trimmed text, of a new choice too', () => {
    const values = [' high ', 'new', ['low'], 7, '', ' ', 'x'.repeat(101), 'a\0', 'a\r\nb\n']
    const cells = values.map((value) => rules.cast(value, { people }))
    expect(cells).toEqual(['high', 'new', 'low', '7', null, null, null, 'a', 'a b'])
  })

  it('[FIELD-86] takes no new choice where the field forbids it', () => {
    const closed = cellRules(singleSelect, { choices, preventAutoNewOptions: true })
    expect(closed.cast('high', { people })).toBe('high')
    expect(closed.cast('new', { people })).toBeNull()
  })

  it('[FIELD-84] adds the choice that a cell lacks', () => {
    const options = singleSelect.options.parse({ choices })
    expect(singleSelect.choices?.missing(options, 'new')).toEqual(['new'])
    const added = singleSelect.choices?.add(options, ['new'], new CountingIds())
    expect(rulesWith(singleSelect, added).parse('new')).toBe('new')
  })

  it('[FIELD-82] completes its choices', () => {
    const options = singleSelect.options.parse({ choices: [{ name: 'low' }] })
    expect(singleSelect.complete?.(options, new CountingIds())).toEqual({
      choices: [{ id: 'cho00000001', name: 'low', color: 'blueLight2' }],
    })
  })

  it('[FIELD-91] has a default among its choices', () => {
    const context = { now: '2026-01-01T00:00:00.000Z', userId: 'usrAda' }
    const withDefault = cellRules(singleSelect, { choices, defaultValue: ' low' })
    expect(withDefault.defaultCell?.(context)).toBe('low')
    expect(rules.defaultCell).toBeUndefined()
    for (const defaultValue of ['Low', '', ['low']]) {
      expect(accepts({ choices, defaultValue })).toBe(false)
    }
  })

  it('[FIELD-92] sorts by the position of the choice', () => {
    const cells = ['a, b', 'high', 'low']
    const sorted = cells.toSorted((a, b) => rules.compare(a, b, people))
    expect(sorted).toEqual(['low', 'high', 'a, b'])
  })
})
