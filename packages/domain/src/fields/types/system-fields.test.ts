import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { autoNumber } from './auto-number.ts'
import { createdBy } from './created-by.ts'
import { createdTime } from './created-time.ts'
import { lastModifiedBy } from './last-modified-by.ts'
import { lastModifiedTime } from './last-modified-time.ts'

const people = knownPeople({ usr1: 'Ada' })

describe('fields that show what every record has', () => {
  it('[FIELD-112] have the expression of their type', () => {
    const expressions = [
      [autoNumber, 'AUTO_NUMBER()'],
      [createdTime, 'CREATED_TIME()'],
      [lastModifiedTime, 'LAST_MODIFIED_TIME()'],
    ] as const
    for (const [type, expression] of expressions) {
      expect(type.options.safeParse({ expression }).success).toBe(true)
      expect(type.options.safeParse({ expression: 'NOW()' }).success).toBe(false)
    }
  })

  it.each([lastModifiedTime, lastModifiedBy])(
    '[FIELD-113] follow the fields that they name ($name)',
    (type) => {
      const trackedFieldIds = ['fld1', 'fld2']
      expect(type.trackedFieldIds?.(type.options.parse({ trackedFieldIds }))).toEqual(
        trackedFieldIds,
      )
      expect(type.trackedFieldIds?.(type.options.parse({}))).toBeUndefined()
      const tooMany = Array.from({ length: 501 }, (_, index) => `fld${index}`)
      for (const wrong of [['fld1', 'fld1'], [''], tooMany]) {
        expect(type.options.safeParse({ trackedFieldIds: wrong }).success).toBe(false)
      }
    },
  )

  it.each([createdTime, lastModifiedTime])('[FIELD-99] show moments ($name)', (type) => {
    const formatting = { date: 'D/M/YYYY', time: 'HH:mm', timeZone: 'Asia/Kolkata' }
    const rules = cellRules(type, { formatting })
    expect(rules.format('2024-03-04T18:30:00.000Z', people)).toBe('5/3/2024 00:00')
  })

  it.each([createdBy, lastModifiedBy])('[FIELD-105] show one user ($name)', (type) => {
    const rules = cellRules(type)
    expect(rules.toJson?.('usr1', people)).toEqual({ id: 'usr1', title: 'Ada' })
    expect(rules.format('usr1', people)).toBe('Ada')
  })

  it('[FIELD-76] number the records in digits', () => {
    const rules = cellRules(autoNumber)
    expect(rules.parse(12)).toBe(12)
    expect(rules.format(12, people)).toBe('12')
    for (const value of [0, 1.5, '1']) expect(rules.parse(value)).toBeInstanceOf(Refusal)
    expect(['12', '1.5', 0].map((value) => rules.cast(value, { people }))).toEqual([12, null, null])
  })
})
