import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { longText } from './long-text.ts'

const people = knownPeople({})

describe('long text', () => {
  const rules = cellRules(longText)

  it('[FIELD-61] is kept as sent', () => {
    const text = '  one\r\n\ttwo \n'
    expect(rules.parse(text)).toBe(text)
    expect(rules.cast(text, { people })).toBe(text)
    expect(rules.format(text, people)).toBe(text)
    expect(rules.parse('')).toBeNull()
    expect(rules.parse(1)).toBeInstanceOf(Refusal)
  })

  it('[FIELD-59] refuses what not every storage can hold', () => {
    expect(rules.parse('a\0')).toBeInstanceOf(Refusal)
    expect(rules.cast('a\0b\ud800', { people })).toBe('ab\ufffd')
  })

  it('[FIELD-62] has a default that is read like any cell', () => {
    const context = { now: '2026-01-01T00:00:00.000Z', userId: 'usrAda' }
    const makeDefault = (defaultValue: string) =>
      cellRules(longText, { defaultValue }).defaultCell?.(context)
    expect(makeDefault('a\nb ')).toBe('a\nb ')
    expect(makeDefault('')).toBeNull()
    const tooLong = { defaultValue: 'x'.repeat(65_537) }
    expect(longText.options.safeParse(tooLong).success).toBe(false)
  })
})
