import { expect, test } from 'vitest'
import { RunningStatement } from './running-statement.ts'

test('[SQLITE-49] tells other threads which statement runs, of those that fail, too', () => {
  const thread = new RunningStatement()
  const seen = new RunningStatement(thread.shared)
  expect(seen.current).toBeUndefined()
  const first = thread.run(() => seen.current)
  expect(first).toBeTypeOf('number')
  expect(seen.current).toBeUndefined()
  expect(() =>
    thread.run(() => {
      throw new Error('no such table')
    }),
  ).toThrow('no such table')
  expect(seen.current).toBeUndefined()
  expect(thread.run(() => seen.current)).not.toBe(first)
})

test('[SQLITE-49] is told by another thread to stop', () => {
  const thread = new RunningStatement()
  expect(thread.isStopped).toBe(false)
  new RunningStatement(thread.shared).stop()
  expect(thread.isStopped).toBe(true)
  expect(thread.current).toBeUndefined()
})
