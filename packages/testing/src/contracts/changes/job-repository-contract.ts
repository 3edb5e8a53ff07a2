import type { ClaimedJob, Job } from '@gateleg/domain/jobs/job'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const leaseUntil = '2026-01-01T01:00:00.000Z'

/** Declares what every JobRepository promises of jobs that come and go. */
export function jobRepositoryContract({ store }: OpenedStorage): void {
  const jobAt = (minute: number): Job => ({
    id: 'job1',
    kind: 'some',
    dueTime: `2026-01-01T00:0${minute}:00.000Z`,
    failures: 0,
  })
  const farthest = '2026-01-01T12:00:00.000Z'
  const hasten = (minute: number) => store.write((tx) => tx.jobs.hasten(jobAt(minute)))
  const claimAt = (minute: number, claim = 'ours') =>
    store.write((tx) => tx.jobs.claim({ now: jobAt(minute).dueTime, farthest, leaseUntil, claim }))

  describe('every JobRepository', () => {
    it('[STORE-43] adds a job, or has it done earlier, never later', async () => {
      await hasten(5)
      expect(await claimAt(4)).toBeUndefined()
      await hasten(3)
      await hasten(7)
      expect(await claimAt(2)).toBeUndefined()
      expect(await claimAt(3)).toEqual({ ...jobAt(3), claim: 'ours', attempts: 1 })
    })

    it('[STORE-400] has all jobs of a kind done at once', async () => {
      await hasten(5)
      const time = (minute: number) => jobAt(minute).dueTime
      await store.write((tx) => tx.jobs.hastenAll('another kind', time(2)))
      expect(await claimAt(2)).toBeUndefined()
      await store.write((tx) => tx.jobs.hastenAll(jobAt(5).kind, time(2)))
      expect(await claimAt(2)).toMatchObject({ id: jobAt(5).id })
    })

    it('[STORE-43] has a job done later that nobody holds', async () => {
      await hasten(5)
      const postpone = (minute: number) =>
        store.write((tx) => tx.jobs.postpone(jobAt(5).id, jobAt(minute).dueTime))
      await postpone(8)
      expect(await claimAt(7)).toBeUndefined()
      expect(await claimAt(8)).toMatchObject({ dueTime: jobAt(8).dueTime })
      await postpone(9)
      expect(await claimAt(8, 'another')).toBeUndefined()
    })

    it('[STORE-43] leaves a job that is held to its worker', async () => {
      await hasten(5)
      await claimAt(5)
      await hasten(1)
      expect(await claimAt(6, 'another')).toBeUndefined()
    })

    it('[STORE-44] removes a job for who holds it, and for nobody else', async () => {
      await hasten(1)
      const job = { ...jobAt(1), claim: 'ours', attempts: 1 }
      const remove = (claim: string) => store.write((tx) => tx.jobs.remove({ ...job, claim }))
      expect(await remove('ours')).toBe(false)
      expect(await claimAt(2)).toEqual(job)
      expect(await remove('another')).toBe(false)
      expect(await remove('ours')).toBe(true)
      expect(await remove('ours')).toBe(false)
      await hasten(2)
      expect(await claimAt(2)).toEqual({ ...jobAt(2), claim: 'ours', attempts: 1 })
    })

    it('[STORE-420] keeps a job that was asked for while somebody held it', async () => {
      await hasten(1)
      const job = await claimAt(2)
      if (!job) throw new Error('the job is due')
      await hasten(1)
      await hasten(4)
      expect(await claimAt(5, 'another')).toBeUndefined()
      const remove = (one: ClaimedJob) => store.write((tx) => tx.jobs.remove(one))
      expect(await remove(job)).toBe(true)
      expect(await claimAt(3)).toBeUndefined()
      const again = await claimAt(4, 'again')
      expect(again).toMatchObject({ dueTime: jobAt(4).dueTime, attempts: 1 })
      if (!again) throw new Error('the job is due')
      expect(await remove(job)).toBe(false)
      expect(await remove(again)).toBe(true)
      expect(await remove(again)).toBe(false)
    })

    it('[STORE-51] counts how often a job was taken since it was let go of', async () => {
      await hasten(1)
      const lease = '2026-01-01T00:02:00.000Z'
      const take = (now: string, claim: string) =>
        store.write((tx) => tx.jobs.claim({ now, farthest, leaseUntil: lease, claim }))
      expect((await take(jobAt(1).dueTime, 'first'))?.attempts).toBe(1)
      const second = await take(jobAt(2).dueTime, 'second')
      expect(second?.attempts).toBe(2)
      if (!second) throw new Error('the lease has ended')
      await store.write((tx) => tx.jobs.extend(second, jobAt(4).dueTime))
      expect(await take(jobAt(3).dueTime, 'third')).toBeUndefined()
      await store.write((tx) => tx.jobs.release(second, jobAt(1).dueTime, 1))
      expect(await take(jobAt(3).dueTime, 'third')).toMatchObject({ attempts: 1, failures: 1 })
    })

    it('[STORE-51] passes over parked jobs until they are asked for again', async () => {
      await hasten(1)
      const job = await claimAt(1)
      if (!job) throw new Error('the job is due')
      const time = jobAt(2).dueTime
      const park = (claim: string) =>
        store.write((tx) => tx.jobs.park({ ...job, claim }, time, 'It fell'))
      const parked = () => store.write((tx) => tx.jobs.listParked(9))
      expect(await park('another')).toBe(false)
      expect(await parked()).toEqual([])
      expect(await park('ours')).toBe(true)
      await hasten(1)
      expect(await claimAt(9)).toBeUndefined()
      expect(await parked()).toEqual([
        { id: 'job1', kind: 'some', parkedTime: time, reason: 'It fell' },
      ])
      const unpark = (id: string) => store.write((tx) => tx.jobs.unpark(id, jobAt(3).dueTime))
      expect(await unpark('job2')).toBe(false)
      expect(await unpark('job1')).toBe(true)
      expect(await unpark('job1')).toBe(false)
      expect(await parked()).toEqual([])
      expect(await claimAt(2)).toBeUndefined()
      expect((await claimAt(3))?.attempts).toBe(1)
    })
  })
}
