import { limits } from '@gateleg/domain/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

interface Item {
  readonly caller: string
  readonly number: number
}

const caller = fc.constantFrom('a', 'b', 'c', 'd')
/** Somebody comes, one is taken, or one goes away that waits: the one at that place of all that came. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('come' as const), caller }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('go' as const), place: fc.nat(60) }) },
)

/** Does the steps, then takes all that is left. Answers what came, what was taken in order, and what went. */
function play(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  const queue = new FairQueue<Item>()
  const came: (Item & { readonly takenBefore: number })[] = []
  const taken: Item[] = []
  const gone = new Set<Item>()
  for (const one of steps) {
    if (one.kind === 'come') {
      const item = { caller: one.caller, number: came.length, takenBefore: taken.length }
      came.push(item)
      queue.add(item.caller, item)
    } else if (one.kind === 'go') {
      const item = came[one.place]
      if (item && !taken.includes(item)) {
        queue.remove(item.caller, item)
        gone.add(item)
      }
    } else {
      const item = queue.take()
      if (item) taken.push(item)
    }
    expect(queue.size).toBe(came.length - taken.length - gone.size)
  }
  for (let item = queue.take(); item; item = queue.take()) taken.push(item)
  return { came, taken, gone }
}

test('[STORE-61] always takes everything once that has not gone, in the order of its caller', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { came, taken, gone } = play(steps)
      const byNumber = (a: Item, b: Item) => a.number - b.number
      expect(taken.toSorted(byNumber)).toEqual(came.filter((item) => !gone.has(item)))
      for (const name of ['a', 'b', 'c', 'd']) {
        const theirs = taken.filter((item) => item.caller === name)
        expect(theirs).toEqual(theirs.toSorted(byNumber))
      }
    }),
  )
})

test('[STORE-61] never keeps a caller waiting for more than one of each other caller', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { came, taken } = play(steps)
      for (const item of came) {
        const place = taken.indexOf(item)
        if (place === -1) continue
        // It is the next one of its caller from when it came, or when the one before it was taken.
        const before = taken.slice(item.takenBefore, place)
        const last = before.findLastIndex((other) => other.caller === item.caller)
        const others = before.slice(last + 1).map((other) => other.caller)
        expect(others.length).toBe(new Set(others).size)
      }
    }),
  )
})

test('[STORE-61] passes over callers who may not go on, and they keep their turns', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'b1', 'a2', 'c1']) queue.add(item.slice(0, 1), item)
  expect(queue.take((name) => name !== 'a')).toBe('b1')
  expect(queue.take(() => false)).toBeUndefined()
  expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
    'a1',
    'c1',
    'a2',
    undefined,
  ])
})

test('[STORE-61] refuses what is too much for one caller, and takes what others wait for', () => {
  const queue = new FairQueue<number>()
  for (let n = 0; n < limits.transactionsWaitingPerCaller; n++) queue.add('a', n)
  expect(() => queue.add('a', -1)).toThrow(expect.objectContaining({ code: 'service_busy' }))
  queue.add('b', 0)
  expect(queue.size).toBe(limits.transactionsWaitingPerCaller + 1)
})
