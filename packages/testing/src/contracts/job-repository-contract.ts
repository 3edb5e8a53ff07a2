import type { Job } from '@gateleg/domain/jobs/job'
import type { OpenStorage, Store } from '@gateleg/domain/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StorageUnderTest } from './store-contract.ts'

const leaseUntil = '2026-01-01T01:00:00.000Z'

/** Declares what every JobRepository promises of jobs that come and go. */
export function jobRepositoryContract({ open }: StorageUnderTest): void {
  let storage: OpenStorage
  let store: Store

  beforeEach(async () => {
    storage = await (await open()).first.open({ onCommit: () => {} })
    store = storage.store
  })
  afterEach(() => storage.close())

  const jobAt = (minute: number): Job => ({
    id: 'job1',
    kind: 'some',
    dueTime: `2026-01-01T00:0${minute}:00.000Z`,
    failures: 0,
  })
  const hasten = (minute: number) => store.write((tx) => tx.jobs.hasten(jobAt(minute)))
  const claimAt = (minute: number, claim = 'ours') =>
    store.write((tx) => tx.jobs.claim({ now: jobAt(minute).dueTime, leaseUntil, claim }))

  describe('every JobRepository', () => {
    it('[STORE-43] adds a job, or has it done earlier, never later', async () => {
      await hasten(5)
      expect(await claimAt(4)).toBeUndefined()
      await hasten(3)
      await hasten(7)
      expect(await claimAt(2)).toBeUndefined()
      expect(await claimAt(3)).toEqual({ ...jobAt(3), claim: 'ours' })
    })

    it('[STORE-43] leaves a job that is held to its worker', async () => {
      await hasten(5)
      await claimAt(5)
      await hasten(1)
      expect(await claimAt(6, 'another')).toBeUndefined()
    })

    it('[STORE-44] removes a job for who holds it, and for nobody else', async () => {
      await hasten(1)
      const job = { ...jobAt(1), claim: 'ours' }
      const remove = (claim: string) => store.write((tx) => tx.jobs.remove({ ...job, claim }))
      expect(await remove('ours')).toBe(false)
      expect(await claimAt(2)).toEqual(job)
      expect(await remove('another')).toBe(false)
      expect(await remove('ours')).toBe(true)
      expect(await remove('ours')).toBe(false)
      await hasten(2)
      expect(await claimAt(2)).toEqual({ ...jobAt(2), claim: 'ours' })
    })
  })
}
