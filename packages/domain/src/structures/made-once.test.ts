import { expect, test } from 'vitest'
import { madeOnce } from './made-once.ts'

test('[ENGINE-48] what failed to load is loaded when it is asked for again, and then kept', async () => {
  let tries = 0
  const load = madeOnce(async () => {
    if (++tries === 1) throw new Error('EMFILE')
    return tries
  })
  const both = await Promise.allSettled([load(), load()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(tries).toBe(1)
  expect(await Promise.all([load(), load()])).toEqual([2, 2])
  expect(await load()).toBe(2)
})
