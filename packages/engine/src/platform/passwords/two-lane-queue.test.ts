import { expect, test } from 'vitest'
import { type Lane, TwoLaneQueue } from './two-lane-queue.ts'

/** A queue whose work ends when the test says so, and what has started, in order. */
function heldQueue(atOnce: number, waiting: Record<Lane, number>) {
  const queue = new TwoLaneQueue({ atOnce, waiting })
  const started: string[] = []
  const ends: (() => void)[] = []
  const add = (lane: Lane, name: string, fails = false) =>
    queue.run(lane, async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (fails) throw new Error(name)
      return name
    })
  const endOne = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { add, started, endOne }
}

test('[ENGINE-12] runs so many at once, and refuses what would wait beyond the limit', async () => {
  const { add, started, endOne } = heldQueue(2, { urgent: 1, other: 1 })
  const taken = [add('other', 'a'), add('urgent', 'b'), add('other', 'c'), add('urgent', 'd')]
  for (const lane of ['other', 'urgent'] as const) {
    await expect(add(lane, 'refused')).rejects.toMatchObject({
      code: 'service_busy',
      data: { retryAfterSeconds: 2 },
    })
  }
  expect(started).toEqual(['a', 'b'])
  await endOne()
  expect(started).toEqual(['a', 'b', 'd'])
  for (let index = 0; index < 3; index++) await endOne()
  expect(await Promise.all(taken)).toEqual(['a', 'b', 'c', 'd'])
})

test('[ENGINE-12] lets what is urgent go first, and the rest now and then', async () => {
  const { add, started, endOne } = heldQueue(1, { urgent: 10, other: 10 })
  const taken = [
    ...['o0', 'o1', 'o2', 'o3'].map((name) => add('other', name)),
    ...['u1', 'u2', 'u3', 'u4', 'u5', 'u6'].map((name) => add('urgent', name)),
  ]
  for (let index = 0; index < 10; index++) await endOne()
  await Promise.all(taken)
  expect(started.join(' ')).toBe('o0 u1 u2 u3 u4 o1 u5 u6 o2 o3')
})

test('[ENGINE-12] lets what is urgent go first, however much has been done while nothing waited', async () => {
  const { add, started, endOne } = heldQueue(1, { urgent: 10, other: 10 })
  for (const name of ['o1', 'o2', 'o3', 'o4', 'o5']) {
    const alone = add('other', name)
    await endOne()
    await alone
  }
  const taken = [add('other', 'o6'), add('other', 'o7'), add('urgent', 'u1')]
  for (let index = 0; index < 3; index++) await endOne()
  await Promise.all(taken)
  expect(started.slice(5).join(' ')).toBe('o6 u1 o7')
})

test('[ENGINE-12] goes on after work that fails', async () => {
  const { add, endOne } = heldQueue(1, { urgent: 1, other: 1 })
  const failing = add('urgent', 'a', true)
  const next = add('urgent', 'b')
  const failed = expect(failing).rejects.toThrow('a')
  await endOne()
  await failed
  await endOne()
  expect(await next).toBe('b')
})
