import { expect, test } from 'vitest'
import { groupSame, toEnds, toRuns } from './group-same.ts'

const column = { index: 0, name: 'c', type: 'JSON' } as const

test('[STORE-355] records that get the same values are in one group, whether or not they share them', () => {
  const shared = [['a']]
  const changes = Array.from({ length: 150 }, (_, index) => ({
    autoNumber: index + 1,
    values: index < 100 ? shared : [[index % 2 === 0 ? 'a' : 'b']],
  }))
  const groups = groupSame([column], changes)
  expect(groups?.map(({ values, numbers }) => [values, numbers.length])).toEqual([
    [['["a"]'], 125],
    [['["b"]'], 25],
  ])
  const different = changes.map((change, index) => ({ ...change, values: [[`${index % 4}`]] }))
  expect(groupSame([column], different)).toBeUndefined()
})

test('[POSTGRES-72] numbers of many changes have ends where they are most of those between', () => {
  const endsOf = (numbers: readonly number[]) =>
    toEnds(numbers.map((autoNumber) => ({ autoNumber, values: [] })))
  const numbers = Array.from({ length: 60 }, (_, n) => 2 * n + 5)
  expect(endsOf(numbers.toReversed())).toEqual([5, 123])
  expect(endsOf(numbers.slice(0, 49))).toBeUndefined()
  expect(endsOf([...numbers, 1_000])).toBeUndefined()
  expect(endsOf([])).toBeUndefined()
})

test('[STORE-355] numbers that follow one another are ranges, unless they are many for so few numbers', () => {
  const from = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n)
  expect(toRuns(from(7, 50).toReversed())).toEqual([[7, 56]])
  expect(toRuns([...from(200, 80), ...from(1, 20)])).toEqual([
    [1, 20],
    [200, 279],
  ])
  expect(toRuns([...from(200, 80), ...from(1, 19)])).toBeUndefined()
  expect(toRuns(from(1, 150).filter((number) => number % 10 !== 0))).toBeUndefined()
  expect(toRuns([])).toEqual([])
})
