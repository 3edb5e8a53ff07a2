import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeOf } from '../access/caller-of.ts'
import { toTimestamp } from '../clock.ts'
import { jobKinds } from '../job-kinds.ts'
import { limits } from '../limits.ts'
import type { Store, WriteTx } from '../store.ts'
import { HeldJobs } from './held-jobs.ts'
import type { JobKind } from './job-kind.ts'
import { listParkedJobs, retryParkedJob } from './parked-jobs.ts'
import { ensureJobs, leaseMs, runJobs, runNextJob } from './run-next-job.ts'

describeOnEveryStorage('jobs', (storage) => {
  let world: World
  let store: Store

  beforeEach(async () => {
    world = await openWorld(storage)
    store = world.engine.store
    // The product's own jobs are done, and not due again while a test lasts.
    while (await runNextJob(ports(), jobKinds, (error) => failures.push(error)));
  })
  afterEach(() => world.close())

  const ids = {
    next: () => '',
    many: () => [],
    choice: () => '',
    revision: () => `claim ${claims++}`,
  }
  let claims = 0
  const failures: unknown[] = []

  const ports = () => ({ store: store, clock: world.clock, ids })
  const runNext = (...kinds: JobKind[]) =>
    runNextJob(ports(), new Map(kinds.map((kind) => [kind.name, kind])), (e) => failures.push(e))
  const add = (...names: string[]) => ensureJobs(ports(), names)

  /** The store, which counts its writes, with transactions that may do more, or may not. */
  const countingStore = (mayDoMore: boolean) => {
    const counted = {
      writes: 0,
      store: {
        ...storeOf('counted', store),
        write: (work: (tx: WriteTx) => Promise<unknown>) => {
          counted.writes++
          return store.write((tx) => work(saying(tx, mayDoMore)))
        },
      } as Store,
    }
    return counted
  }

  const saying = (tx: WriteTx, mayDoMore: boolean): WriteTx =>
    new Proxy(tx, {
      get: (of, name) => {
        if (name === 'mayDoMore') return () => mayDoMore
        const value: unknown = Reflect.get(of, name, of)
        return typeof value === 'function' ? value.bind(of) : value
      },
    })

  const runs: string[] = []
  const counting = (name: string, outcome: 'later' | 'more' = 'later'): JobKind => ({
    name,
    isRecurring: true,
    periodMs: 60_000,
    run: async () => {
      runs.push(name)
      return outcome
    },
  })

  beforeEach(() => {
    runs.length = 0
    failures.length = 0
  })

  test('[JOB-1] [JOB-3] does what is due once, by due time and id', async () => {
    await add('b', 'a')
    await add('b', 'a')
    const kinds = [counting('a'), counting('b')]
    expect(await runNext(...kinds)).toBe(true)
    expect(await runNext(...kinds)).toBe(true)
    expect(await runNext(...kinds)).toBe(false)
    expect(runs).toEqual(['a', 'b'])
  })

  test('[JOB-90] does a job once more that was asked for while it was done', async () => {
    const now = toTimestamp(world.clock.now())
    const job = { id: 'a', kind: 'a', dueTime: now, failures: 0 }
    const once = (tx: WriteTx) => tx.jobs.hasten(job)
    await store.write(once)
    const claimed = await store.write((tx) =>
      tx.jobs.claim({ now, farthest: '2999', leaseUntil: '2998', claim: 'theirs' }),
    )
    await store.write(once)
    if (claimed) await store.write((tx) => tx.jobs.remove(claimed))
    const over: JobKind = {
      ...counting('a'),
      isRecurring: false,
      run: async () => {
        runs.push('a')
        return 'over'
      },
    }
    expect(await runNext(over)).toBe(true)
    expect(await runNext(over)).toBe(false)
    expect(runs).toEqual(['a'])
  })

  test('[JOB-12] a worker does what may take minutes, or all else', async () => {
    const steps: JobKind = { ...counting('a'), isStepwise: true }
    const kinds = new Map([steps, counting('b')].map((kind) => [kind.name, kind]))
    await add('a', 'b')
    const work = (lane: 'stepwise' | 'others') =>
      runJobs(ports(), { kinds, lane, onFailure: (error) => failures.push(error) }, () => true)
    expect(await work('others')).toBe(false)
    expect(runs).toEqual(['b'])
    expect(await work('stepwise')).toBe(false)
    expect(runs).toEqual(['b', 'a'])
    expect(failures).toEqual([])
  })

  test('[JOB-11] takes the next job in the transaction that ends one, until it is told to end', async () => {
    const counted = countingStore(false)
    const work = {
      kinds: new Map([['a', counting('a', 'more')]]),
      onFailure: (error: unknown) => failures.push(error),
    }
    await add('a')
    const until = () => runs.length < 10
    expect(await runJobs({ ...ports(), store: counted.store }, work, until)).toBe(true)
    expect(runs).toHaveLength(10)
    expect(counted.writes).toBe(11)
    // Nobody holds the job afterwards.
    expect(await runNext(counting('a'))).toBe(true)
    const kinds = new Map([['a', counting('a')]])
    expect(await runJobs(ports(), { ...work, kinds }, () => true)).toBe(false)
  })

  test('[JOB-13] goes on with a job in its transaction as long as that may do more', async () => {
    const counted = countingStore(true)
    await add('a')
    const work = (kind: JobKind) =>
      runJobs(
        { ...ports(), store: counted.store },
        { kinds: new Map([['a', kind]]), onFailure: (error) => failures.push(error) },
        () => runs.length % 10 !== 0,
      )
    expect(await work(counting('a', 'more'))).toBe(true)
    expect([runs.length, counted.writes]).toEqual([10, 2])
    expect(await work({ ...counting('a', 'more'), isStepwise: true })).toBe(true)
    expect([runs.length, counted.writes]).toEqual([20, 13])
    const failing: JobKind = { ...counting('a'), run: () => Promise.reject(new Error('no')) }
    await runNext(failing)
    world.clock.advance(leaseMs)
    expect(await work(counting('a', 'more'))).toBe(true)
    // The first time by itself, as it had failed; the other nine in one.
    expect([runs.length, counted.writes]).toEqual([30, 16])
  })

  test('[JOB-11] [JOB-7] a job that was taken with the end of another one counts as begun', async () => {
    await add('a', 'b')
    const dying: JobKind = { ...counting('b'), run: () => new Promise(() => {}) }
    let onDead = () => {}
    const isDead = new Promise<void>((resolve) => {
      onDead = resolve
    })
    let writes = 0
    const write = (work: Parameters<Store['write']>[0]) => {
      if (writes++ < 2) return store.write(work)
      onDead()
      return new Promise<never>(() => {})
    }
    const dead = { ...ports(), store: { ...storeOf('dying', store), write } as Store }
    const kinds = new Map([counting('a'), dying].map((kind) => [kind.name, kind]))
    void runJobs(dead, { kinds, onFailure: (error) => failures.push(error) }, () => true)
    await isDead
    expect(await runNext(counting('b'))).toBe(false)
    world.clock.advance(leaseMs)
    const taken = await store.write(({ jobs }) => {
      const now = new Date(world.clock.now()).toISOString()
      const leaseUntil = new Date(world.clock.now() + leaseMs).toISOString()
      return jobs.claim({ now, farthest: '9999', leaseUntil, claim: 'after' })
    })
    expect(taken).toMatchObject({ id: 'b', attempts: 2 })
  })

  test('[JOB-1] workers that look at one time do each job once', async () => {
    await add('a', 'b', 'c')
    const kinds = ['a', 'b', 'c'].map((name) => counting(name))
    while ((await Promise.all([1, 2, 3, 4].map(() => runNext(...kinds)))).some(Boolean));
    expect(runs.toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('[JOB-2] a job of a dead worker is taken over, and the dead can’t end it', async () => {
    await add('a')
    const now = new Date(world.clock.now()).toISOString()
    const leaseUntil = new Date(world.clock.now() + leaseMs).toISOString()
    const dead = await store.write(({ jobs }) =>
      jobs.claim({ now, farthest: leaseUntil, leaseUntil, claim: 'dead' }),
    )
    expect(await runNext(counting('a'))).toBe(false)
    world.clock.advance(leaseMs)
    expect(await runNext(counting('a'))).toBe(true)
    expect(runs).toEqual(['a'])
    if (!dead) throw new Error('the job was claimed')
    expect(await store.write(({ jobs }) => jobs.release(dead, now, 0))).toBe(false)
    expect(await runNext(counting('a'))).toBe(false)
  })

  test('[JOB-9] jobs that were put off or taken while the clock was ahead are done when it is right again', async () => {
    const year = 365 * 24 * 3_600_000
    await add('a', 'b')
    world.clock.advance(year)
    expect(await runNext(counting('a'), counting('b'))).toBe(true)
    const now = new Date(world.clock.now()).toISOString()
    const leaseUntil = new Date(world.clock.now() + leaseMs).toISOString()
    await store.write(({ jobs }) =>
      jobs.claim({ now, farthest: '9999', leaseUntil, claim: 'dead' }),
    )
    while (await runNext(counting('a'), counting('b')));
    expect(runs).toEqual(['a'])
    world.clock.advance(-year)
    runs.splice(0)
    while (await runNext(counting('a'), counting('b')));
    expect(runs.toSorted()).toEqual(['a', 'b'])
  })

  test('[JOB-2] work whose lease was lost is undone', async () => {
    await add('a')
    const slow: JobKind = {
      ...counting('a'),
      run: async ({ tx }) => {
        const user = await tx.users.find(person.userId)
        if (user) await tx.users.update({ ...user, name: 'Changed' })
        const taken = new Date(world.clock.now() + leaseMs).toISOString()
        await tx.jobs.claim({ now: taken, farthest: taken, leaseUntil: taken, claim: 'another' })
        return 'later'
      },
    }
    const person = await world.newPerson('Ada')
    expect(await runNext(slow)).toBe(true)
    expect(failures).toHaveLength(1)
    expect((await person.api.accounts.getMe({})).name).toBe('ada')
  })

  /** Begins the job and dies of it. */
  const die = async (name = 'a') => {
    const dying: JobKind = { ...counting(name), run: () => new Promise(() => {}) }
    // Nobody waits for it any more, and its lease runs out.
    const write = onlyClaims()
    const dead = { ...ports(), store: { ...storeOf('dying', store), write } as Store }
    const onFailure = (error: unknown) => failures.push(error)
    return Promise.race([runNextJob(dead, new Map([[name, dying]]), onFailure), write.isDead])
  }
  /** Lets the first transaction through, in which a job is taken, and never ends the next. */
  const onlyClaims = () => {
    let writes = 0
    let end: (value: 'dead') => void
    const isDead = new Promise<'dead'>((resolve) => {
      end = resolve
    })
    const write = (work: Parameters<Store['write']>[0]) => {
      if (writes++ === 0) return store.write(work)
      end('dead')
      return new Promise<never>(() => {})
    }
    return Object.assign(write as Store['write'], { isDead })
  }

  test('[JOB-7] a job of which workers die is begun three times, then parked until it is asked for', async () => {
    await add('a')
    for (const attempt of [1, 2, 3]) {
      expect(await die()).toBe('dead')
      const pauseMs = leaseMs * 2 ** (attempt - 1)
      world.clock.advance(pauseMs - 1)
      expect(await runNext(counting('a'))).toBe(false)
      world.clock.advance(1)
    }
    expect(await runNext(counting('a'))).toBe(true)
    expect(runs).toEqual([])
    expect(failures).toMatchObject([
      { name: 'JobParkedError', job: { id: 'a', reason: expect.stringContaining('3 times') } },
    ])
    world.clock.advance(86_400_000)
    while (await runNext(counting('a')));
    expect(runs).toEqual([])
    expect(await listParkedJobs(ports())).toMatchObject([{ id: 'a', kind: 'a' }])
    expect(await retryParkedJob(ports(), 'b')).toBe(false)
    expect(await retryParkedJob(ports(), 'a')).toBe(true)
    expect(await listParkedJobs(ports())).toEqual([])
    expect(await runNext(counting('a'))).toBe(true)
    expect(runs).toEqual(['a'])
  })

  test('[JOB-7] an operator is told of so many parked jobs at a time', async () => {
    for (const name of ['a', 'b']) {
      await add(name)
      for (const attempt of [1, 2, 3]) {
        expect(await die(name)).toBe('dead')
        world.clock.advance(leaseMs * 2 ** (attempt - 1))
      }
      expect(await runNext(counting(name))).toBe(true)
    }
    const list = () => listParkedJobs(ports())
    expect((await list()).map(({ id }) => id)).toEqual(['a', 'b'])
    expect((await withLimits({ parkedJobsListed: 1 }, list)).map(({ id }) => id)).toEqual(['a'])
  })

  test.each(['later', 'failure'])('[JOB-8] an end forgets what was counted: %s', async (end) => {
    await add('a')
    const ending: JobKind = {
      ...counting('a'),
      run: async () => {
        if (end === 'failure') throw new Error('no')
        return 'later'
      },
    }
    for (let round = 0; round < 3; round++) {
      for (const attempt of [1, 2]) {
        expect(await die()).toBe('dead')
        world.clock.advance(leaseMs * 2 ** (attempt - 1))
      }
      expect(await runNext(ending)).toBe(true)
      world.clock.advance(3_600_000)
    }
    expect(await listParkedJobs(ports())).toEqual([])
  })

  /** The store, which can be out of reach: then writes fail, whether they were kept or not. */
  const losableStore = () => {
    const losable = { isLost: false, keeps: false, store: {} as Store }
    const write = async (work: Parameters<Store['write']>[0]) => {
      if (losable.isLost && !losable.keeps) throw new Error('out of reach')
      const kept = await store.write(async (tx) => {
        const value = await work(tx)
        if (losable.isLost && !losable.keeps) throw new Error('out of reach')
        return value
      })
      if (losable.isLost && losable.keeps) throw new Error('no answer')
      return kept
    }
    losable.store = { ...storeOf('losable', store), write } as Store
    return losable
  }

  test('[JOB-80] [JOB-7] a worker that lost the storage lets go of its job when that is back, and did not die of it', async () => {
    await add('a')
    const losable = losableStore()
    const losing: JobKind = {
      ...counting('a'),
      run: async () => {
        runs.push('a')
        losable.isLost = true
        return 'later'
      },
    }
    const kinds = new Map([['a', losing]])
    const work = { kinds, held: new HeldJobs(), onFailure: (e: unknown) => failures.push(e) }
    const run = () => runJobs({ ...ports(), store: losable.store }, work, () => false)
    for (let round = 1; round <= limits.jobAttempts + 2; round++) {
      await expect(run()).rejects.toThrow('out of reach')
      expect(runs).toHaveLength(round)
      // It looks again, and there is still nothing.
      await expect(run()).rejects.toThrow('out of reach')
      losable.isLost = false
      expect(await run()).toBe(false)
      world.clock.advance(1_000 * 2 ** (round - 1))
    }
    expect(await listParkedJobs(ports())).toEqual([])
    expect(await runNext(counting('a'))).toBe(true)
  })

  test('[JOB-80] a worker lets go of what it took without knowing', async () => {
    await add('a', 'b')
    const losable = losableStore()
    const losing: JobKind = {
      ...counting('a'),
      run: async () => {
        Object.assign(losable, { isLost: true, keeps: true })
        runs.push('a')
        return 'later'
      },
    }
    const kinds = new Map([losing, counting('b')].map((kind) => [kind.name, kind]))
    const work = { kinds, held: new HeldJobs(), onFailure: (e: unknown) => failures.push(e) }
    const run = () => runJobs({ ...ports(), store: losable.store }, work, () => true)
    await expect(run()).rejects.toThrow('no answer')
    Object.assign(losable, { isLost: false, keeps: false })
    expect(await run()).toBe(false)
    expect(runs).toEqual(['a', 'b'])
  })

  test('[JOB-4] a failing job is put off, longer each time', async () => {
    await add('a')
    const failing: JobKind = { ...counting('a'), run: () => Promise.reject(new Error('no')) }
    for (const pauseMs of [1_000, 2_000, 4_000]) {
      expect(await runNext(failing)).toBe(true)
      world.clock.advance(pauseMs - 1)
      expect(await runNext(failing)).toBe(false)
      world.clock.advance(1)
    }
    expect(failures).toHaveLength(3)
    expect(await runNext(counting('a'))).toBe(true)
    world.clock.advance(60_000)
    expect(await runNext(counting('a'))).toBe(true)
  })

  test('[JOB-5] comes back after its period, at once while there is more', async () => {
    await add('a')
    expect(await runNext(counting('a', 'more'))).toBe(true)
    expect(await runNext(counting('a'))).toBe(true)
    expect(await runNext(counting('a'))).toBe(false)
    world.clock.advance(60_000)
    expect(await runNext(counting('a'))).toBe(true)
  })
})
