import { cellRules } from '@gateleg/testing/factories/cell-rules'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { assertOrderIsTotal } from '@gateleg/testing/properties/assert-order-is-total'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../cell.ts'
import { number } from '../types/number.ts'
import { user } from '../types/user.ts'
import { listCells } from './list-cells.ts'

const people = knownPeople({ usr1: 'Ada', usr2: 'Lovelace, Ada' })
const numbers = listCells(cellRules(number, { formatting: { type: 'decimal', precision: 1 } }))
const users = listCells(cellRules(user))

describe('a computed list', () => {
  it('[FIELD-165] takes nothing that is entered', () => {
    for (const value of [[1], 1, 'a', [], {}]) {
      expect(numbers.parse(value)).toBeInstanceOf(Refusal)
      expect(numbers.cast(value, { people })).toBeNull()
    }
    expect(numbers.parse(null)).toBeNull()
  })

  it('[FIELD-168] is shown by its items, joined like names', () => {
    expect(numbers.format([1, 2.25], people)).toBe('1.0, 2.3')
    expect(users.format(['usr2', 'usr1'], people)).toBe('"Lovelace, Ada", Ada')
  })

  it('[FIELD-168] is shown without its empty items', () => {
    expect(numbers.format([null, 1, null], people)).toBe('1.0')
    expect(numbers.format([null], people)).toBe('')
  })

  it('[FIELD-169] sorts by the first item, the next, then the number of them', () => {
    const cells = [[2], [1, 3], [-1], [1], [null, 9], [1, null]]
    const sorted = cells.toSorted((a, b) => numbers.compare(a, b, people))
    expect(sorted).toEqual([[null, 9], [-1], [1], [1, null], [1, 3], [2]])
  })

  it('[FIELD-169] is always ordered totally', () => {
    const list = fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { maxLength: 3 })
    fc.assert(
      fc.property(fc.tuple(list, list, list), (lists) => {
        assertOrderIsTotal((a, b) => numbers.compare(a, b, people), lists)
      }),
    )
  })

  it('[FIELD-170] is answered item by item', () => {
    expect(users.toJson?.(['usr1', null], people)).toEqual([{ id: 'usr1', title: 'Ada' }, null])
    expect(numbers.toJson).toBeUndefined()
  })

  it('[FIELD-170] is a list for formulas', () => {
    expect(numbers.toFormula?.([1, null], people)).toEqual([1, null])
    expect(users.toFormula?.(['usr2', null], people)).toEqual(['Lovelace, Ada', null])
  })

  it('[FIELD-170] names the users of all its items', () => {
    expect(users.userIds?.(['usr2', null, 'usr1'])).toEqual(['usr2', 'usr1'])
    expect(numbers.userIds).toBeUndefined()
  })
})
