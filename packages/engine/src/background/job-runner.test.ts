import { describe, expect, test } from 'vitest'
import { JobRunner, sideBySide } from './job-runner.ts'

describe('the job runner', () => {
  test('[ENGINE-8] looks as soon as it is made, for what was left', async () => {
    let looks = 0
    const runner = new JobRunner(
      async () => {
        looks++
        return false
      },
      () => {},
    )
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(looks).toBe(1)
    await runner.stop()
  })

  test('[ENGINE-8] looks at once when it is woken, also while it looks', async () => {
    let looks = 0
    let onThird = () => {}
    const third = new Promise<void>((resolve) => {
      onThird = resolve
    })
    const runner: JobRunner = new JobRunner(
      async () => {
        looks++
        if (looks === 2) runner.wake()
        if (looks === 3) onThird()
        return false
      },
      () => {},
    )
    runner.wake()
    await third
    await runner.stop()
    expect(looks).toBe(3)
  })

  test('[ENGINE-8] does not pause while there are jobs left', async () => {
    let done = 0
    let onDone = () => {}
    const all = new Promise<void>((resolve) => {
      onDone = resolve
    })
    const runner = new JobRunner(
      async (mayGoOn) => {
        do {
          if (done === 250) {
            onDone()
            return false
          }
          done++
        } while (mayGoOn())
        return true
      },
      () => {},
    )
    runner.wake()
    await all
    await runner.stop()
    expect(done).toBe(250)
  })

  test('[ENGINE-41] one that is busy holds up none beside it', async () => {
    let letGo = () => {}
    const held = new Promise<boolean>((resolve) => (letGo = () => resolve(false)))
    let looks = 0
    let onSecond = () => {}
    const second = new Promise<void>((resolve) => (onSecond = resolve))
    const both = sideBySide([
      new JobRunner(
        () => held,
        () => {},
      ),
      new JobRunner(
        async () => {
          looks++
          if (looks === 1) both.wake()
          if (looks === 2) onSecond()
          return false
        },
        () => {},
      ),
    ])
    await second
    letGo()
    await both.stop()
    expect(looks).toBe(2)
  })
})
