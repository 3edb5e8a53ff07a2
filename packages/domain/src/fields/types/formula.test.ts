import {
  computationFor,
  computedCell,
  fieldShape,
  looseField,
} from '@gateleg/testing/factories/computed-cell'
import { rowOf } from '@gateleg/testing/factories/formula-world'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { computationOf } from '../derivation/computation-of.ts'
import { computationScope, toFormulaField } from '../derivation/formula-field.ts'
import { formula } from './formula.ts'

const price = fieldShape('number', { formatting: { type: 'currency', precision: 2, symbol: '$' } })

function formulaOf(expression: string, options: object = {}) {
  return looseField(fieldShape('formula', { expression, ...options }), { lookupOptions: null })
}

describe('a formula', () => {
  it('[FIELD-182] is worked out from the other cells of its record', () => {
    const scope = computationScope(new Map([['fldPrice', looseField(price, { id: 'fldPrice' })]]))
    const computation = computationOf(formulaOf('{fldPrice} * 2'), scope)
    expect(computation?.ownFieldIds).toEqual(['fldPrice'])
    expect(computation?.through).toBeUndefined()
    const row = { ...rowOf(), cell: () => 21 }
    const inputs = { row, linked: [], source: undefined, people: knownPeople({}), spend: () => {} }
    expect(computation?.ready()(inputs)).toBe(42)
  })

  it('[FIELD-182] tells what else it reads', () => {
    expect([...computationFor(formulaOf('NOW()')).reads]).not.toEqual([])
    expect([...computationFor(formulaOf('1')).reads]).toEqual([])
  })

  it('[FIELD-182] reads the clocks of its time zone', () => {
    const hour = 'HOUR(DATETIME_PARSE("2024-03-05T20:00:00Z"))'
    expect(computedCell(formulaOf(hour), undefined, [])).toBe(20)
    expect(computedCell(formulaOf(hour, { timeZone: 'Asia/Tokyo' }), undefined, [])).toBe(5)
  })

  it('[FIELD-183] reads moments in texts as their fields show them, numbers plainly', () => {
    expect(toFormulaField(price).format).toBeUndefined()
    const day = fieldShape('date', { formatting: { date: 'D/M/YYYY' } })
    expect(toFormulaField(day).format?.('2024-03-05T00:00:00.000Z')).toBe('5/3/2024')
    expect(toFormulaField(fieldShape('checkbox')).type.scalar).toBe('boolean')
    expect(toFormulaField(fieldShape('multipleSelect')).type).toEqual({
      scalar: 'string',
      isMultiple: true,
    })
    const lookup = {
      ...price,
      isLookup: true,
      result: { cellValueType: 'number', isMultiple: true },
    } as const
    expect(toFormulaField(lookup).type).toEqual({ scalar: 'number', isMultiple: true })
    expect(toFormulaField(lookup).format).toBeUndefined()
  })

  it('[FIELD-178] needs an expression', () => {
    const accepts = (options: object): boolean => formula.options.safeParse(options).success
    expect(accepts({})).toBe(false)
    expect(accepts({ expression: 'a\0' })).toBe(false)
    expect(accepts({ expression: 'x'.repeat(81_921) })).toBe(false)
    expect(accepts({ expression: 'x'.repeat(81_920) })).toBe(true)
  })
})
