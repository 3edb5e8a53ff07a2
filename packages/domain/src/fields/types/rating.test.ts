import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { rating } from './rating.ts'

const people = knownPeople({})

describe('a rating', () => {
  const rules = cellRules(rating, { max: 3 })

  it('[FIELD-74] is a whole number up to the maximum', () => {
    expect([1, 2, 3].map(rules.parse)).toEqual([1, 2, 3])
    for (const value of [0, 4, 1.5, -1, '1', true, Number.NaN]) {
      expect(rules.parse(value)).toEqual(new Refusal('must be a whole number from 1 to 3, or null'))
    }
    expect(rules.format(3, people)).toBe('3')
  })

  it('[FIELD-74] has a maximum of 1 to 10', () => {
    for (const max of [1, 10]) expect(rating.options.safeParse({ max }).success).toBe(true)
    for (const max of [0, 11, 2.5]) expect(rating.options.safeParse({ max }).success).toBe(false)
    expect(rating.options.safeParse({ icon: 'fish' }).success).toBe(false)
    expect(rating.options.safeParse({ color: 'blue' }).success).toBe(false)
  })

  it('[FIELD-75] is rounded and cut to what there is', () => {
    const values = [1.4, '2.5', 7, '99', 0.5, 0.4, 0, -3, 'two', true]
    const ratings = values.map((value) => rules.cast(value, { people }))
    expect(ratings).toEqual([1, 3, 3, 3, 1, null, null, null, null, 1])
  })
})
