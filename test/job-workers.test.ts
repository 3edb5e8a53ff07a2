import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { postgres } from '@gateleg/adapters-postgres/postgres'
import type { JobKind } from '@gateleg/domain/jobs/job-kind'
import { ensureJobs, leaseMs, runJobs, runNextJob } from '@gateleg/domain/jobs/run-next-job'
import type { OpenStorage, WriteTx } from '@gateleg/domain/store'
import { RandomIds } from '@gateleg/engine/platform/random-ids'
import { FixedClock } from '@gateleg/testing/doubles/fixed-clock'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { countedKinds, counterOf, jobNames } from './counted-jobs.ts'
import { type FreshDatabase, makeDatabase } from './fresh-database.ts'
import { isOn } from './storages.ts'

const program = join(import.meta.dirname, 'job-worker.ts')

describe.runIf(isOn('postgres'))('jobs of several processes', () => {
  let database: FreshDatabase
  let storage: OpenStorage
  let clock: FixedClock
  let workers: ChildProcess[]

  beforeEach(async () => {
    workers = []
    clock = new FixedClock()
    database = await makeDatabase()
    const { connectionString } = database
    storage = await postgres({ connectionString, poolSize: 4 }).open({ onCommit: () => {} })
    await storage.store.write(async (tx) => {
      for (const name of jobNames) await tx.users.insert(counterOf(name))
    })
    await ensureJobs(ports(), jobNames)
  })

  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    await storage.close()
    await database.drop()
  })

  const ports = () => ({ store: storage.store, clock, ids: new RandomIds() })

  /** Does all that is due, in this process. */
  async function workHere(): Promise<string[]> {
    const names: string[] = []
    const kinds = countedKinds(async (name) => {
      names.push(name)
    })
    const failures: unknown[] = []
    while (await runNextJob(ports(), kinds, (error) => failures.push(error)));
    expect(failures).toEqual([])
    return names
  }

  /** Starts a process that does all that is due; answers the names of the jobs so far, and its end. */
  function startWorker(endless = '') {
    const moment = new Date(clock.now()).toISOString()
    const worker = spawn(process.execPath, [program, database.connectionString, moment, endless], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    workers.push(worker)
    let output = ''
    worker.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    const names = () => output.split('\n').filter((name) => name !== '')
    const isAt = async (name: string) => {
      while (!names().includes(name)) await once(worker.stdout, 'data')
    }
    return { worker, names, isAt, ended: once(worker, 'close') }
  }

  /** How often each job was run and its work kept. */
  async function runsOf(names: readonly string[]): Promise<number[]> {
    const users = names.map((name) => storage.store.read((tx) => tx.users.find(counterOf(name).id)))
    return (await Promise.all(users)).map((user) => (user?.version ?? 0) - 1)
  }

  test('[JOB-1] each is done once, whichever process finds it first', async () => {
    const started = [startWorker(), startWorker(), startWorker()]
    const ends = await Promise.all(started.map(({ ended }) => ended))
    expect(ends).toEqual(started.map(() => [0, null]))
    expect(started.flatMap(({ names }) => names()).toSorted()).toEqual(jobNames.toSorted())
    expect(await runsOf(jobNames)).toEqual(jobNames.map(() => 1))
    expect(await workHere()).toEqual([])
  })

  test('[JOB-2] that of a process that was killed is done by another, once its lease has ended', async () => {
    const lost = 'job20'
    const { worker, isAt, ended } = startWorker(lost)
    await isAt(lost)
    // While it is at work, the others are done without it.
    const others = await workHere()
    expect(others).not.toContain(lost)
    worker.kill('SIGKILL')
    await ended
    clock.advance(leaseMs - 1)
    expect(await workHere()).toEqual([])
    expect(await runsOf([lost])).toEqual([0])
    clock.advance(1)
    const second = startWorker()
    await second.ended
    expect(second.names()).toEqual([lost])
    expect(await runsOf(jobNames)).toEqual(jobNames.map(() => 1))
  })

  test('[JOB-81] one whose statement takes longer than a lease is held for as long as that, and taken over soon after', async () => {
    const name = 'steps'
    await ensureJobs(ports(), [name])
    let rounds = 0
    const steps: JobKind = {
      name,
      isRecurring: true,
      isStepwise: true,
      periodMs: 60_000,
      run: async () => {
        for (; rounds < 3; rounds++) {
          clock.advance(leaseMs - 1)
          await vi.advanceTimersByTimeAsync(leaseMs / 3)
          // It is held anew, though not for much longer. While its lease is being written
          // the job is locked, and free for nobody.
          const isFree = async () => [
            await isFreeAt(clock.now() + leaseMs - 1),
            await isFreeAt(clock.now() + leaseMs),
          ]
          await expect.poll(isFree, { timeout: 10_000 }).toEqual([false, true])
        }
        return 'later'
      },
    }
    /** Whether another worker would take it then. */
    const isFreeAt = (ms: number) => {
      const now = new Date(ms).toISOString()
      const among = { kinds: [name], areMeant: true }
      let isFree = false
      const look = async ({ jobs }: WriteTx) => {
        const terms = { now, farthest: '9999', leaseUntil: now, claim: 'look', among }
        isFree = (await jobs.claim(terms)) !== undefined
        throw new Error('looked')
      }
      return storage.store.write(look).catch(() => isFree)
    }
    const failures: unknown[] = []
    const onFailure = (error: unknown) => failures.push(error)
    const work = { kinds: new Map([[name, steps]]), lane: 'stepwise', onFailure } as const
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await runJobs(ports(), work, () => false).finally(() => vi.useRealTimers())
    expect([rounds, failures]).toEqual([3, []])
  })
})
