import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { beginLater } from './late-background.ts'

const fail = (error: unknown) => {
  throw error
}

function makeBackground() {
  return { wake: vi.fn<() => void>(), stop: vi.fn<() => Promise<void>>(async () => {}) }
}

test('[ENGINE-43] the background that is stopped before its turn does not begin', async () => {
  const begin = vi.fn<() => Promise<undefined>>(async () => undefined)
  await beginLater(begin, fail).stop()
  await nextTurn()
  expect(begin).not.toHaveBeenCalled()
})

test('[ENGINE-43] stopping waits for a background that is beginning, and stops it', async () => {
  const background = makeBackground()
  const { promise, resolve } = Promise.withResolvers<typeof background>()
  const late = beginLater(() => promise, fail)
  await nextTurn()
  let isStopped = false
  const stopped = late.stop().then(() => {
    isStopped = true
  })
  await nextTurn()
  expect(isStopped).toBe(false)
  resolve(background)
  await stopped
  expect(background.stop).toHaveBeenCalledOnce()
})

test('[ENGINE-43] a background is woken once it has begun', async () => {
  const background = makeBackground()
  const late = beginLater(async () => background, fail)
  late.wake()
  await nextTurn()
  await nextTurn()
  expect(background.wake).not.toHaveBeenCalled()
  late.wake()
  expect(background.wake).toHaveBeenCalledOnce()
})

test('[ENGINE-9] that the background can’t begin is told', async () => {
  const failures: unknown[] = []
  const late = beginLater(
    async () => fail('no jobs'),
    (error) => failures.push(error),
  )
  await nextTurn()
  await late.stop()
  expect(failures).toEqual(['no jobs'])
})
