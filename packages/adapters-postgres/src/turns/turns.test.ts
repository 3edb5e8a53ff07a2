import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const long = 60_000

test('[POSTGRES-19] turns that are waited for too long are refused, and let those that follow go on', async () => {
  const turns = new Turns(20)
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = turns.take(() => promise)
  await expect(turns.take(async () => 'late')).rejects.toMatchObject({ kind: 'contended' })
  const third = turns.take(async () => 'third')
  resolve()
  await first
  expect(await third).toBe('third')
})

test('[POSTGRES-19] turns are taken in order, and one that fails ends like any other', async () => {
  const turns = new Turns(long)
  const done: string[] = []
  const take = (name: string) =>
    turns.take(async () => {
      done.push(`${name} begins`)
      await setTimeout(1)
      done.push(`${name} ends`)
      if (name === 'a') throw new Error('no')
    })
  const all = await Promise.allSettled(['a', 'b', 'c'].map(take))
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(done).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
})

test('[POSTGRES-20] callers take turns', async () => {
  const turns = new Turns(long)
  const done: string[] = []
  const take = (name: string) =>
    turns.take(
      async () => {
        done.push(name)
        await setTimeout(1)
      },
      name.slice(0, 1),
    )
  await Promise.all(['a1', 'a2', 'a3', 'b1'].map(take))
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3'])
})
