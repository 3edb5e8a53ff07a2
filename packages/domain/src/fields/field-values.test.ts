import { fieldShape, looseField } from '@gateleg/testing/factories/computed-cell'
import { knownPeople } from '@gateleg/testing/factories/known-people'
import { describe, expect, it } from 'vitest'
import { cellValueTypes } from '../values/value-type.ts'
import { Refusal } from './cell.ts'
import { computationOf } from './derivation/computation-of.ts'
import { computationScope } from './derivation/formula-field.ts'
import type { FieldShape } from './field.ts'
import { dbFieldTypeOf, isComputed, rulesOf, valueTypeOf } from './field-values.ts'

const people = knownPeople({ usr1: 'Ada', usr2: 'Bob' })
const formula = fieldShape('formula', { expression: '1' })
const rating = fieldShape('rating')
const users = fieldShape('user', { isMultiple: true })

function lookupOf(shape: FieldShape, isMultiple: boolean): FieldShape {
  const { cellValueType } = valueTypeOf(shape)
  return { ...shape, isLookup: true, result: { cellValueType, isMultiple } }
}

describe('the values of a computed field', () => {
  it('[FIELD-179] are kept in a column of their kind, lists as JSON', () => {
    const columns = cellValueTypes.map((cellValueType) => {
      const single = { ...formula, result: { cellValueType, isMultiple: false } }
      const list = { ...formula, result: { cellValueType, isMultiple: true } }
      return [dbFieldTypeOf(single), dbFieldTypeOf(list)]
    })
    expect(columns).toEqual([
      ['TEXT', 'JSON'],
      ['REAL', 'JSON'],
      ['BOOLEAN', 'JSON'],
      ['DATETIME', 'JSON'],
    ])
  })

  it('[FIELD-179] are kept by a lookup as by the field that it reads, lists as JSON', () => {
    expect(dbFieldTypeOf(lookupOf(fieldShape('autoNumber'), false))).toBe('INTEGER')
    expect(dbFieldTypeOf(lookupOf(fieldShape('autoNumber'), true))).toBe('JSON')
    expect(dbFieldTypeOf(lookupOf(users, true))).toBe('JSON')
  })

  it('[FIELD-180] are in a lookup shown as the field shows them, once or in a list', () => {
    expect(rulesOf(lookupOf(rating, true)).format([1, 2], people)).toBe('1, 2')
    expect(rulesOf(lookupOf(rating, true)).parse([1])).toBeInstanceOf(Refusal)
    expect(rulesOf(lookupOf(rating, false)).format(3, people)).toBe('3')
    expect(rulesOf(lookupOf(users, true)).toJson?.(['usr2', 'usr1'], people)).toEqual([
      { id: 'usr2', title: 'Bob' },
      { id: 'usr1', title: 'Ada' },
    ])
    const percent = fieldShape('formula', {
      expression: '1',
      formatting: { type: 'percent', precision: 0 },
    })
    const result = { cellValueType: 'number', isMultiple: true } as const
    expect(rulesOf({ ...percent, isLookup: true, result }).format([0.5, null], people)).toBe('50%')
  })

  it('[FIELD-165] are entered only where the field is a link', () => {
    const link = fieldShape('link', { relationship: 'manyOne', foreignTableId: 'tbl1' })
    expect(isComputed(link)).toBe(false)
    for (const shape of [
      lookupOf(link, true),
      formula,
      fieldShape('rollup'),
      lookupOf(users, true),
    ]) {
      expect(isComputed(shape)).toBe(true)
    }
    expect(isComputed(rating)).toBe(false)
    expect(isComputed(fieldShape('autoNumber'))).toBe(true)
  })

  it('[FIELD-181] are none where the field can not be worked out', () => {
    const broken = looseField(fieldShape('formula', { expression: '1 +' }), { hasError: true })
    const computation = computationOf(broken, computationScope(new Map()))
    expect(computation?.ready()({} as never)).toBeNull()
    expect(computation?.ownFieldIds).toEqual([])
    expect(computation?.through).toBeUndefined()
  })
})
