import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { OtherFilesError } from '@gateleg/domain/attachments/unused/sweep-blobs'
import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { expect, test } from 'vitest'
import { SystemClock } from '../platform/system-clock.ts'
import { BlobSweeper, sweepingIn } from './blob-sweeper.ts'

const soon = { firstMs: 1, nextMs: 1 }

test('[ENGINE-40] sweeps again and again, also after one that failed, until it is stopped', async () => {
  const failures: unknown[] = []
  let count = 0
  const sweep = async () => {
    if (++count === 1) throw new Error('out of reach')
  }
  const sweeper = new BlobSweeper(sweep, (error) => failures.push(error), soon)
  await expect.poll(() => count).toBeGreaterThan(2)
  await sweeper.stop()
  const atEnd = count
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(count).toBe(atEnd)
  expect(failures).toHaveLength(1)
})

test('[ENGINE-40] its end waits for the sweep under way, which is told to end', async () => {
  const seen: boolean[] = []
  const { promise: isUnderWay, resolve: begin } = Promise.withResolvers<void>()
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  const sweep = async (mayGoOn: () => boolean) => {
    begin()
    seen.push(mayGoOn())
    await end
    seen.push(mayGoOn())
  }
  const sweeper = new BlobSweeper(sweep, () => {}, soon)
  await isUnderWay
  const stopped = sweeper.stop()
  finish()
  await stopped
  expect(seen).toEqual([true, false])
})

test('[ENGINE-45] tells once of files that are of other data, and leaves them', async () => {
  const storage = await sqlite({ file: ':memory:' }).open({
    onCommit: () => {},
    onFailure: () => {},
  })
  let lists = 0
  const list = async function* () {
    lists++
    yield [{ path: 'theirs', putTime: '2020-01-01T00:00:00.000Z' }]
  }
  const remove = () => Promise.reject(new Error('removed'))
  const blobs = Object.assign(new MemoryBlobStore(), { list, remove })
  const failures: unknown[] = []
  const ports = { store: storage.store, blobs, clock: new SystemClock() }
  const sweeper = sweepingIn(
    async () => ports,
    (error) => failures.push(error),
    soon,
  )
  await expect.poll(() => lists).toBeGreaterThan(2)
  await sweeper.stop()
  await storage.close()
  expect(failures).toEqual([new OtherFilesError(1)])
})
