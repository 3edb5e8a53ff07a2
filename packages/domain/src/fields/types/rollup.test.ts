import {
  computationFor,
  computedCell,
  fieldShape,
  looseField,
} from '@gateleg/testing/factories/computed-cell'
import { describe, expect, it } from 'vitest'
import { typeOfFormula } from '../../formulas/formula-cache.ts'
import type { Cell } from '../cell.ts'
import { toFormulaField } from '../derivation/formula-field.ts'
import type { Field, FieldShape } from '../field.ts'
import { rollup, rollupExpressions, rollupScope } from './rollup.ts'

const euros = fieldShape('number', { formatting: { type: 'currency', precision: 1, symbol: '€' } })
const dates = fieldShape('date', { formatting: { date: 'D/M/YYYY' } })
const texts = fieldShape('singleLineText')
const boxes = fieldShape('checkbox')
const tags = fieldShape('multipleSelect', { choices: [{ name: 'x' }, { name: 'y' }] })

/** A rollup of the values of a field. */
function rollupOf(source: FieldShape, expression: string): Field {
  const { options, ...rest } = fieldShape('rollup', { expression: `${expression}({values})` })
  const scope = rollupScope(options as never, toFormulaField(source))
  const type = typeOfFormula((options as { expression: string }).expression, scope)
  const result = { cellValueType: type.scalar, isMultiple: type.isMultiple, source }
  return looseField({ ...rest, options, result })
}

function roll(source: FieldShape, cells: readonly (Cell | null)[], expression: string) {
  const names = { usr1: 'Ada', usr2: 'Lovelace, Ada' }
  return computedCell(rollupOf(source, expression), source, cells, names)
}

describe('a rollup', () => {
  it('[FIELD-172] follows its link, and the field that it reads through it', () => {
    const { ownFieldIds, through, reads } = computationFor(rollupOf(euros, 'sum'))
    expect(ownFieldIds).toEqual(['fldLink'])
    expect(through).toEqual({
      linkFieldId: 'fldLink',
      fieldId: 'fldSource',
      fieldIds: ['fldSource'],
    })
    expect([...reads]).toEqual([])
  })

  it.each([
    ['countall', 4],
    ['counta', 3],
    ['count', 3],
    ['sum', 1006],
    ['average', 1006 / 3],
    ['max', 1000],
    ['min', 3],
    ['and', false],
    ['or', true],
    ['xor', true],
    ['array_join', '3, 1000, 3'],
    ['array_unique', [3, null, 1000]],
    ['array_compact', [3, 1000, 3]],
    ['concatenate', '3, 1000, 3'],
  ])('[FIELD-173] sums numbers up by %s', (expression, expected) => {
    expect(roll(euros, [3, null, 1000, 3], expression)).toEqual(expected)
  })

  it('[FIELD-173] has all of these expressions, and no other', () => {
    expect(rollupExpressions.length).toBe(14)
    for (const expression of rollupExpressions) {
      expect(rollup.options.safeParse({ expression }).success).toBe(true)
    }
    for (const expression of ['sum(values)', 'SUM({values})', 'sum({values}) + 1', '']) {
      expect(rollup.options.safeParse({ expression }).success).toBe(false)
    }
  })

  it('[FIELD-173] finds the first and last moment, and boxes that are checked', () => {
    const moments = ['2024-03-05T10:20:30.000Z', null, '2023-01-01T00:00:00.000Z']
    expect(roll(dates, moments, 'max')).toBe(moments[0])
    expect(roll(dates, moments, 'min')).toBe(moments[2])
    expect(roll(boxes, [true, null], 'and')).toBe(false)
    expect(roll(boxes, [true, true], 'and')).toBe(true)
    expect(roll(boxes, [true, null], 'sum')).toBe(1)
  })

  it('[FIELD-173] has a value for no records', () => {
    expect(roll(euros, [], 'countall')).toBe(0)
    expect(roll(euros, [], 'sum')).toBe(0)
    expect(roll(euros, [], 'average')).toBeNull()
    expect(roll(texts, [], 'array_join')).toBeNull()
    expect(roll(boxes, [], 'and')).toBe(false)
  })

  it('[FIELD-174] takes lists item by item, and an empty cell as one empty item', () => {
    expect(roll(tags, [['x', 'y'], null, ['x']], 'countall')).toBe(4)
    expect(roll(tags, [['x', 'y'], null, ['x']], 'counta')).toBe(3)
    expect(roll(tags, [['x', 'y'], null, ['x']], 'array_compact')).toEqual(['x', 'y', 'x'])
  })

  it('[FIELD-175] joins what is shown of the values', () => {
    expect(roll(dates, ['2024-03-05T10:20:30.000Z'], 'concatenate')).toBe('5/3/2024')
    expect(roll(texts, ['b', null, 'a'], 'array_join')).toBe('b, a')
    const people = fieldShape('user', { isMultiple: true })
    expect(roll(people, [['usr2', 'usr1'], ['usr9']], 'array_join')).toBe(
      'Lovelace, Ada, Ada, Unknown',
    )
    const links = fieldShape('link', { relationship: 'manyOne', foreignTableId: 'tbl1' })
    expect(roll(links, [{ id: 'rec1', title: 'A' }, { id: 'rec2' }], 'array_join')).toBe('A')
    const files = fieldShape('attachment')
    expect(roll(files, [[{ id: 'act1', name: 'a.png', token: 't' }]], 'array_join')).toBe('a.png')
    const prices: FieldShape = {
      ...euros,
      isLookup: true,
      result: { cellValueType: 'number', isMultiple: true },
    }
    expect(roll(prices, [[1, 2], [3]], 'array_join')).toBe('1, 2, 3')
    expect(roll(prices, [[1, 2], [3]], 'sum')).toBe(6)
  })

  it('[FIELD-176] is refused where it can make nothing of the values', () => {
    expect(() => rollupOf(dates, 'sum')).toThrow('SUM takes numbers here')
    expect(() => rollupOf(dates, 'average')).toThrow('AVERAGE takes numbers here')
    expect(() => rollupOf(texts, 'sum')).not.toThrow()
  })

  it('[FIELD-178] counts unless it is told otherwise', () => {
    expect(rollup.options.parse({ timeZone: 'Asia/Tokyo' })).toEqual({
      expression: 'countall({values})',
      timeZone: 'Asia/Tokyo',
    })
  })
})
