import fc from 'fast-check'
import { expect, test } from 'vitest'
import { insertAfter } from './insert-after.ts'

// Few ids, so that some items share one, and inserted items have those of items that are there.
const id = fc.constantFrom('a', 'b', 'c', 'd')
const items = fc
  .array(id, { maxLength: 8 })
  .map((ids) => ids.map((id, index) => ({ id, place: `there ${index}` })))
const inserted = fc
  .array(fc.option(id, { nil: undefined }), { maxLength: 5 })
  .map((ids) => ids.map((id, index) => ({ id, place: `inserted ${index}` })))
const anchor = fc.option(fc.oneof(id, fc.string()), { nil: undefined })

test('[ATTACH-7] nothing is ever lost, added or changed', () => {
  fc.assert(
    fc.property(items, inserted, anchor, (there, added, anchorId) => {
      const result = insertAfter<object>(there, added, anchorId)
      expect(result).toHaveLength(there.length + added.length)
      expect(new Set(result)).toEqual(new Set([...there, ...added]))
    }),
  )
})

test('[ATTACH-7] items always keep their order, and the inserted ones theirs, side by side', () => {
  fc.assert(
    fc.property(items, inserted, anchor, (there, added, anchorId) => {
      const result: readonly object[] = insertAfter<object>(there, added, anchorId)
      expect(result.filter((item) => !added.includes(item as never))).toEqual(there)
      const first = added[0] ? result.indexOf(added[0]) : 0
      expect(result.slice(first, first + added.length)).toEqual(added)
    }),
  )
})

test('[ATTACH-7] the inserted ones always follow the first item that is the anchor', () => {
  fc.assert(
    fc.property(items, inserted, id, (there, added, anchorId) => {
      const place = there.findIndex((item) => item.id === anchorId)
      fc.pre(place !== -1)
      const result = insertAfter<object>(there, added, anchorId)
      expect(result.slice(0, place + 1)).toEqual(there.slice(0, place + 1))
      expect(result.slice(place + 1, place + 1 + added.length)).toEqual(added)
    }),
  )
})

test('[ATTACH-7] without an anchor, with an unknown one and after the last item they are always appended', () => {
  fc.assert(
    fc.property(items, inserted, (there, added) => {
      const appended = [...there, ...added]
      expect(insertAfter<object>(there, added)).toEqual(appended)
      expect(insertAfter<object>(there, added, 'unknown')).toEqual(appended)
      const last = [...there, { id: 'last' }]
      expect(insertAfter<object>(last, added, 'last')).toEqual([...last, ...added])
    }),
  )
})
