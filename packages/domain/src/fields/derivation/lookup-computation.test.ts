import {
  computationFor,
  computedCell,
  fieldShape,
  looseField,
} from '@gateleg/testing/factories/computed-cell'
import { describe, expect, it } from 'vitest'
import type { Cell } from '../cell.ts'
import type { Field, FieldShape } from '../field.ts'

const text = fieldShape('singleLineText')
const tags = fieldShape('multipleSelect')

function lookupOf({ type, options }: FieldShape, isMultiple: boolean): Field {
  const result = { cellValueType: 'string', isMultiple } as const
  return looseField({ type, options, isLookup: true, result })
}

function look(source: FieldShape, cells: readonly (Cell | null)[], isMultiple = true) {
  return computedCell(lookupOf(source, isMultiple), source, cells)
}

describe('a lookup', () => {
  it('[FIELD-172] follows its link, and the field that it reads through it', () => {
    const { ownFieldIds, through, reads } = computationFor(lookupOf(text, true))
    expect(ownFieldIds).toEqual(['fldLink'])
    expect(through).toEqual({
      linkFieldId: 'fldLink',
      fieldId: 'fldSource',
      fieldIds: ['fldSource'],
    })
    expect([...reads]).toEqual([])
  })

  it('[FIELD-171] lists the cells of the linked records in their order', () => {
    expect(look(text, ['b', 'a', 'b'])).toEqual(['b', 'a', 'b'])
  })

  it('[FIELD-171] joins lists and leaves out what is empty', () => {
    expect(look(tags, [['x', 'y'], null, ['x']])).toEqual(['x', 'y', 'x'])
    expect(look(text, [null, 'a'])).toEqual(['a'])
    expect(look(text, [['a', null] as Cell])).toEqual(['a'])
  })

  it('[FIELD-171] is empty where nothing is left', () => {
    expect(look(text, [])).toBeNull()
    expect(look(text, [null])).toBeNull()
    expect(look(text, [], false)).toBeNull()
    expect(look(text, [null], false)).toBeNull()
  })

  it('[FIELD-171] through a link to one record is its cell', () => {
    expect(look(text, ['a'], false)).toBe('a')
    const link = fieldShape('link', { relationship: 'manyOne', foreignTableId: 'tbl1' })
    expect(look(link, [{ id: 'rec1', title: 'A' }], false)).toEqual({ id: 'rec1', title: 'A' })
    expect(look(fieldShape('checkbox'), [true], false)).toBe(true)
  })
})
