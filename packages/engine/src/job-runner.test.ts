import { describe, expect, test } from 'vitest'
import { JobRunner } from './job-runner.ts'

describe('the job runner', () => {
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
        return looks === 1
      },
      () => {},
    )
    runner.wake()
    await third
    await runner.stop()
    expect(looks).toBe(3)
  })
})
