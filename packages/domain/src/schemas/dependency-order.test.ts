import { expect, test } from 'vitest'
import { dependencyOrder } from './dependency-order.ts'

function orderOf(dependencies: Readonly<Record<string, readonly string[]>>): string {
  return dependencyOrder(Object.keys(dependencies), (item) => dependencies[item] ?? []).join(' ')
}

test('[CALC-33] puts each item after those that it depends on', () => {
  expect(orderOf({ d: ['b', 'c'], b: ['a'], c: ['a'], a: [] })).toBe('a b c d')
  expect(orderOf({ a: [], b: [] })).toBe('a b')
  expect(orderOf({})).toBe('')
})

test('[CALC-33] takes what items depend on along', () => {
  expect(orderOf({ b: ['a'] })).toBe('a b')
})

test('[CALC-33] ends where items depend on one another in a circle', () => {
  expect(orderOf({ a: ['b'], b: ['c'], c: ['a'] })).toBe('c b a')
  expect(orderOf({ a: ['a'] })).toBe('a')
})

test('[CALC-33] looks at each item once, however many ways lead to it', () => {
  const looked: number[] = []
  const ordered = dependencyOrder([1_000], (n) => {
    looked.push(n)
    return n > 1 ? [n - 1, n - 2] : []
  })
  expect(ordered).toEqual(
    Array.from({ length: 1_001 }, (_, n) => n)
      .toSorted((a, b) => a - b)
      .with(0, 1)
      .with(1, 0),
  )
  expect(looked).toHaveLength(1_001)
})

test('[CALC-33] follows a chain of any length', () => {
  const last = 500_000
  const ordered = dependencyOrder([last], (n) => (n > 0 ? [n - 1] : []))
  expect(ordered).toHaveLength(last + 1)
  expect(ordered.at(-1)).toBe(last)
})
