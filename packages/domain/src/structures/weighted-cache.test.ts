import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WeightedCache } from './weighted-cache.ts'

test('keeps what is asked for rather than what is not', () => {
  const cache = new WeightedCache<string, number>(30)
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.keep(key, index, 10)
  cache.get('a')
  cache.keep('d', 3, 10)
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([0, undefined, 2, 3])
})

test('does not remember what is heavier than all may be', () => {
  const removed: number[] = []
  const cache = new WeightedCache<string, number>(30, (value) => removed.push(value))
  cache.keep('a', 1, 10)
  cache.keep('b', 2, 31)
  expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined])
  expect(removed).toEqual([2])
})

test('forgets what it is told to, and takes its weight off', () => {
  const cache = new WeightedCache<string, number>(30)
  cache.keep('a', 1, 10)
  cache.forget('a')
  cache.forget('b')
  expect([cache.get('a'), cache.weight]).toEqual([undefined, 0])
})

test('never weighs more than its limit, and tells what goes', () => {
  const step = fc.record({ key: fc.nat(20), weight: fc.nat(40), isAsked: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let kept = 0
      const living = new Map<object, number>()
      const cache = new WeightedCache<number, object>(100, (value) => {
        kept -= living.get(value) ?? Number.NaN
        living.delete(value)
      })
      for (const { key, weight, isAsked } of steps) {
        if (isAsked) {
          const found = cache.get(key)
          if (found) expect(living.has(found)).toBe(true)
          continue
        }
        const value = {}
        living.set(value, weight)
        kept += weight
        cache.keep(key, value, weight)
        expect(cache.weight).toBe(kept)
        expect(kept).toBeLessThanOrEqual(100)
      }
    }),
  )
})
