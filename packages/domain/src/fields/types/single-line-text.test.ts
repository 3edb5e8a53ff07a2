import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { singleLineText } from './single-line-text.ts'

const people = knownPeople({})
const accepts = (options: unknown): boolean => singleLineText.options.safeParse(options).success

describe('a single line of text', () => {
  const rules = cellRules(singleLineText)

  it('[FIELD-60] holds one line without space at its ends', () => {
    expect(rules.parse('  one\r\n\ntwo\tthree  four\u2028five ')).toBe('one two three  four five')
    expect(rules.parse('')).toBeNull()
    expect(rules.parse(' \n\t')).toBeNull()
    expect(rules.format('one two', people)).toBe('one two')
  })

  it('[FIELD-60] takes text alone, leniently the text form of anything', () => {
    for (const value of [1, true, ['a'], { title: 'a' }]) {
      expect(rules.parse(value)).toBeInstanceOf(Refusal)
    }
    expect(rules.cast(1.5, { people })).toBe('1.5')
    expect(rules.cast(['a\nb', { title: 'c' }], { people })).toBe('a b, c')
  })

  it('[FIELD-59] refuses what not every storage can hold', () => {
    expect(rules.parse('a\0')).toBeInstanceOf(Refusal)
    expect(rules.parse('a\ud800')).toBeInstanceOf(Refusal)
    expect(rules.cast('a\0b\ud800', { people })).toBe('ab\ufffd')
  })

  it('[FIELD-62] has a default that is read like any cell', () => {
    const context = { now: '2026-01-01T00:00:00.000Z', userId: 'usrAda' }
    const makeDefault = (defaultValue: string) =>
      cellRules(singleLineText, { defaultValue }).defaultCell?.(context)
    expect(makeDefault(' a\nb ')).toBe('a b')
    expect(makeDefault(' ')).toBeNull()
    expect(rules.defaultCell).toBeUndefined()
    expect(accepts({ defaultValue: 'x'.repeat(65_536) })).toBe(true)
    for (const defaultValue of ['x'.repeat(65_537), 'a\0', 1, null]) {
      expect(accepts({ defaultValue })).toBe(false)
    }
  })

  it('[FIELD-63] is shown as a url, an email or a phone', () => {
    for (const type of ['url', 'email', 'phone']) expect(accepts({ showAs: { type } })).toBe(true)
    for (const showAs of [{ type: 'bar' }, {}, { type: 'url', color: 'red' }]) {
      expect(accepts({ showAs })).toBe(false)
    }
  })
})
