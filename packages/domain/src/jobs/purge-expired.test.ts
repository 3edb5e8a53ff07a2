import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import { defaultSettings } from '../settings.ts'
import type { Store } from '../store.ts'
import { purgeExpired } from './purge-expired.ts'

describeOnEveryStorage('what has expired', (storage) => {
  let world: World
  let store: Store

  beforeEach(async () => {
    world = await openWorld(storage)
    store = world.engine.store
  })
  afterEach(() => world.close())

  const ids = { next: () => '', many: () => [], choice: () => '', revision: () => '' }
  const purge = () =>
    store.write((tx) =>
      purgeExpired.run({
        tx,
        nowMs: world.clock.now(),
        ids,
        jobId: purgeExpired.name,
        failures: 0,
        mayDoMore: () => false,
        settings: defaultSettings,
      }),
    )

  test('[JOB-6] removes what has expired and nothing else', async () => {
    const ada = await world.newPerson('Ada')
    const options = { idempotencyKey: 'once' }
    const { id } = await ada.api.spaces.createSpace({ name: 'Kept' }, options)
    world.clock.advance(6 * 86_400_000)
    await world.engine.public.accounts.signIn({ email: ada.email, password: testPassword })
    world.clock.advance(2 * 86_400_000)
    expect(await purge()).toBe('later')
    const left = await store.read((tx) => tx.sessions.listOf(ada.userId, ''))
    expect(left).toHaveLength(1)
    expect((await ada.api.spaces.createSpace({ name: 'Kept' }, options)).id).not.toBe(id)
  })

  test('[JOB-6] removes so many rows of a kind at a time', async () => {
    const ada = await world.newPerson('Ada')
    for (let round = 0; round < 2; round++) {
      await world.engine.public.accounts.signIn({ email: ada.email, password: testPassword })
    }
    world.clock.advance(8 * 86_400_000)
    const left: number[] = []
    let outcome: unknown = 'more'
    await withLimits({ expiredRowsPerSweep: 1 }, async () => {
      while (outcome === 'more') {
        outcome = await purge()
        left.push((await store.read((tx) => tx.sessions.listOf(ada.userId, ''))).length)
      }
    })
    expect(left.slice(0, 3)).toEqual([2, 1, 0])
  })

  test('[JOB-6] removes so many bytes of kept answers at a time', async () => {
    expect(limits.bytesPerCalculation).toBe(2 * 1024 * 1024)
    const expiresTime = toTimestamp(world.clock.now() - 1_000)
    for (const keyHash of ['a', 'b', 'c']) {
      const sealedAnswer = 'x'.repeat(1_000)
      await store.write((tx) =>
        tx.answers.save({ keyHash, sealedInput: 'input', sealedAnswer, expiresTime }),
      )
    }
    const left: (readonly [unknown, number])[] = []
    await withLimits({ bytesPerCalculation: 1_500 }, async () => {
      for (let round = 0; round < 3; round++) {
        const outcome = await purge()
        const found = await store.write((tx) =>
          Promise.all(['a', 'b', 'c'].map((key) => tx.answers.find(key))),
        )
        left.push([outcome, found.filter((answer) => answer !== undefined).length])
      }
    })
    expect(left).toEqual([
      ['more', 2],
      ['more', 1],
      ['later', 0],
    ])
  })
})
