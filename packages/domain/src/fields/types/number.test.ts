import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { number } from './number.ts'

const people = knownPeople({})
const accepts = (options: unknown): boolean => number.options.safeParse(options).success

describe('a number', () => {
  const rules = cellRules(number)

  it('[FIELD-65] is finite and kept as sent', () => {
    expect(rules.parse(1234.567)).toBe(1234.567)
    expect(rules.parse(-0)).toBe(0)
    for (const value of ['1', true, JSON.parse('1e999'), Number.NaN, [1]]) {
      expect(rules.parse(value)).toBeInstanceOf(Refusal)
    }
  })

  it('[FIELD-66] is shown by its formatting', () => {
    const currency = { formatting: { type: 'currency', precision: 2, symbol: '$' } }
    expect(rules.format(1234.567, people)).toBe('1234.57')
    expect(cellRules(number, currency).format(-1234.5, people)).toBe('-$1,234.50')
  })

  it('[FIELD-70] is found in a text, beside the symbol of the field', () => {
    const crowns = { formatting: { type: 'currency', precision: 0, symbol: 'kr' } }
    expect(rules.cast('1,234.5', { people })).toBe(1234.5)
    expect(rules.cast('12 kr', { people })).toBeNull()
    expect(cellRules(number, crowns).cast('12 kr', { people })).toBe(12)
  })

  it('[FIELD-48] has a default', () => {
    const context = { now: '2026-01-01T00:00:00.000Z', userId: 'usrAda' }
    expect(cellRules(number, { defaultValue: 0 }).defaultCell?.(context)).toBe(0)
    expect(cellRules(number, { defaultValue: -0 }).defaultCell?.(context)).toBe(0)
    expect(rules.defaultCell).toBeUndefined()
    expect(accepts({ defaultValue: '1' })).toBe(false)
    expect(accepts({ defaultValue: Number.POSITIVE_INFINITY })).toBe(false)
  })

  it('[FIELD-73] is shown as a bar or a ring', () => {
    const showAs = { type: 'bar', color: 'teal', showValue: true, maxValue: 100 }
    expect(accepts({ showAs })).toBe(true)
    expect(accepts({ showAs: { ...showAs, type: 'ring' } })).toBe(true)
    for (const wrong of [{ type: 'url' }, { color: 'brown' }, { maxValue: '9' }, { min: 0 }]) {
      expect(accepts({ showAs: { ...showAs, ...wrong } })).toBe(false)
    }
  })
})
