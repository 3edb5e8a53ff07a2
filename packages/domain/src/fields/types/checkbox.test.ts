import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { checkbox } from './checkbox.ts'

const people = knownPeople({})

describe('a checkbox', () => {
  const rules = cellRules(checkbox)

  it('[FIELD-77] is checked or empty', () => {
    expect(rules.parse(true)).toBe(true)
    expect(rules.parse(false)).toBeNull()
    for (const value of ['true', 1, 0, '']) expect(rules.parse(value)).toBeInstanceOf(Refusal)
    expect(rules.format(true, people)).toBe('true')
  })

  it('[FIELD-78] is checked by all but a few values', () => {
    for (const value of [true, 'true', 'x', 1, -1, ['a'], {}]) {
      expect(rules.cast(value, { people })).toBe(true)
    }
    for (const value of [false, 'FALSE', ' no ', 'off', '0', 0, '', [], [false]]) {
      expect(rules.cast(value, { people })).toBeNull()
    }
  })

  it('[FIELD-48] has a default', () => {
    const context = { now: '2026-01-01T00:00:00.000Z', userId: 'usrAda' }
    expect(cellRules(checkbox, { defaultValue: true }).defaultCell?.(context)).toBe(true)
    expect(cellRules(checkbox, { defaultValue: false }).defaultCell).toBeUndefined()
    expect(checkbox.options.safeParse({ defaultValue: 1 }).success).toBe(false)
  })
})
