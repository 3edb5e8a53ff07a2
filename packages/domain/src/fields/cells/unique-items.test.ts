import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUnique } from './unique-items.ts'

describe('isUnique', () => {
  it('[FIELD-87] always tells whether an item occurs twice, in short lists and long ones', () => {
    const items = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 40, size: 'max' })
    fc.assert(
      fc.property(items, (list) => {
        expect(isUnique(list)).toBe(new Set(list).size === list.length)
      }),
    )
  })
})
