import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { type CellValueType, cellValueTypes } from '../../values/value-type.ts'
import { type Cell, Refusal } from '../cell.ts'
import { resultCells } from './result-cells.ts'
import { fitOptions } from './result-formatting.ts'

const people = knownPeople({})

function rulesFor(kind: CellValueType, isMultiple = false, formatting?: object) {
  const sent = { timeZone: 'Asia/Tokyo', formatting: formatting as never }
  const { options } = fitOptions(sent, kind)
  return resultCells(options, { cellValueType: kind, isMultiple })
}

function sorted(kind: CellValueType, cells: readonly Cell[]): readonly Cell[] {
  return cells.toSorted((a, b) => rulesFor(kind).compare(a, b, people))
}

describe('a computed value', () => {
  it.each(cellValueTypes)('[FIELD-165] of kind %s takes nothing that is entered', (kind) => {
    for (const isMultiple of [false, true]) {
      const rules = rulesFor(kind, isMultiple)
      for (const value of ['a', 1, true, '2024-01-01', ['a'], {}]) {
        expect(rules.parse(value)).toBeInstanceOf(Refusal)
        expect(rules.cast(value, { people })).toBeNull()
      }
      expect(rules.parse(null)).toBeNull()
    }
  })

  it('[FIELD-166] is shown as its kind is', () => {
    const moment = '2024-01-31T20:05:00.000Z'
    const currency = { type: 'currency', precision: 1, symbol: '$' }
    const time = { date: 'D/M/YYYY', time: 'HH:mm', timeZone: 'UTC' }
    expect(rulesFor('string').format(' a ', people)).toBe(' a ')
    expect(rulesFor('number').format(1.005, people)).toBe('1.01')
    expect(rulesFor('number', false, currency).format(1000, people)).toBe('$1,000.0')
    expect(rulesFor('boolean').format(false, people)).toBe('false')
    expect(rulesFor('boolean').format(true, people)).toBe('true')
    expect(rulesFor('dateTime').format(moment, people)).toBe('2024-02-01')
    expect(rulesFor('dateTime', false, time).format(moment, people)).toBe('31/1/2024 20:05')
  })

  it('[FIELD-166] is shown item by item where it is a list', () => {
    expect(rulesFor('number', true).format([1, 2], people)).toBe('1.00, 2.00')
    expect(rulesFor('string', true).format(['a, b', null, 'c'], people)).toBe('"a, b", c')
  })

  it('[FIELD-167] sorts as its kind does', () => {
    expect(sorted('string', ['b', 'B', 'a', 'A'])).toEqual(['A', 'a', 'B', 'b'])
    expect(sorted('number', [10, 9, -1])).toEqual([-1, 9, 10])
    expect(sorted('boolean', [true, false])).toEqual([false, true])
    const [early, late] = ['2024-01-31T14:59:59.999Z', '2024-01-31T15:00:00.000Z']
    expect(sorted('dateTime', [late, early])).toEqual([early, late])
    expect(rulesFor('dateTime').compare(early, '2024-01-31T00:00:00.000Z', people)).toBe(0)
  })
})
