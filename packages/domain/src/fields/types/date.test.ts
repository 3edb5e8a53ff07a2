import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { date } from './date.ts'

const people = knownPeople({})

describe('a date', () => {
  const formatting = { date: 'D/M/YYYY', time: 'HH:mm', timeZone: 'Asia/Kolkata' }
  const rules = cellRules(date, { formatting })

  it('[FIELD-96] is read by the clocks of the field', () => {
    expect(rules.parse('2024-03-05')).toBe('2024-03-04T18:30:00.000Z')
    expect(rules.parse('2024-03-05T10:20')).toBe('2024-03-05T04:50:00.000Z')
    expect(cellRules(date).parse('2024-03-05')).toBe('2024-03-05T00:00:00.000Z')
  })

  it('[FIELD-95] is text in ISO 8601', () => {
    for (const value of ['5/3/2024', '', 1709596800000, true, ['2024-03-05']]) {
      expect(rules.parse(value)).toBeInstanceOf(Refusal)
    }
  })

  it('[FIELD-97] is a day that there is', () => {
    expect(rules.parse('2024-02-30')).toBeInstanceOf(Refusal)
  })

  it('[FIELD-99] is shown by its formatting', () => {
    expect(rules.format('2024-03-04T18:30:00.000Z', people)).toBe('5/3/2024 00:00')
  })

  it('[FIELD-100] is found in a text of its format', () => {
    expect(rules.cast('5/3/2024 10:20', { people })).toBe('2024-03-05T04:50:00.000Z')
    expect(rules.cast(['2024-03-05'], { people })).toBe('2024-03-04T18:30:00.000Z')
    expect(rules.cast('soon', { people })).toBeNull()
    const now = '2026-01-01T00:00:00.000Z'
    expect(rules.cast(' Now ', { people, now })).toBe(now)
    expect(rules.cast('now', { people })).toBeNull()
    expect(rules.parse('now')).toBeInstanceOf(Refusal)
  })

  it.each([
    ['Europe/Berlin', 'HH:mm', '2024-10-27T00:30:00.000Z', '2024-10-27T01:30:00.000Z'],
    ['Europe/Berlin', 'hh:mm A', '2024-10-27T00:00:00.000Z', '2024-10-27T01:00:00.000Z'],
    // By the half hour, and at midnight, which is what a day without a time means.
    ['Australia/Lord_Howe', 'HH:mm', '2024-04-06T14:45:00.000Z', '2024-04-06T15:15:00.000Z'],
    ['America/Havana', 'None', '2024-11-03T04:00:00.000Z', '2024-11-03T05:00:00.000Z'],
  ])(
    '[RECORD-210] stays where clocks of %s (%s) show it twice',
    (timeZone, time, first, second) => {
      const { cast, format } = cellRules(date, { formatting: { date: 'D/M/YYYY', time, timeZone } })
      const text = format(first, people)
      expect(format(second, people)).toBe(text)
      expect(cast(text, { people, held: first })).toBe(first)
      expect(cast(text, { people, held: second })).toBe(second)
      expect(cast(` ${text} `, { people, held: second })).toBe(second)
      // What the cell doesn't show is read as in any other.
      expect(cast(text, { people })).toBe(first)
      for (const held of [null, '2024-12-01T05:00:00.000Z']) {
        expect(cast(text, { people, held })).toBe(first)
      }
      // So is what says which of the two it means.
      expect(cast(first, { people, held: second })).toBe(first)
    },
  )

  it('[FIELD-102] sorts by what is shown of it', () => {
    const [early, late] = ['2024-03-05T01:00:00.000Z', '2024-03-05T02:00:00.000Z']
    expect(rules.compare(early, late, people)).toBeLessThan(0)
    expect(cellRules(date).compare(early, late, people)).toBe(0)
  })

  it('[FIELD-103] has now as its only default', () => {
    const context = { now: '2026-01-01T12:34:56.789Z', userId: 'usrAda' }
    expect(cellRules(date, { defaultValue: 'now' }).defaultCell?.(context)).toBe(context.now)
    expect(rules.defaultCell).toBeUndefined()
    expect(date.options.safeParse({ defaultValue: '2024-03-05' }).success).toBe(false)
  })
})
