import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobStore } from '@gateleg/domain/attachments/blob-store'
import { DiskBlobStore } from '@gateleg/engine/platform/blobs/disk-blob-store'
import { S3BlobStore } from '@gateleg/engine/platform/s3/s3-blob-store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { ClockedBlobStore } from './kept-files/clocked-blob-store.ts'
import { FileDoer, fileDeed } from './kept-files/file-deeds.ts'
import { type S3TestServer, startS3Server } from './s3-server.ts'

/** Deeds on each kind of blob store with SQLite; other storages run so many times fewer. */
const deedsOnSqlite = Number(process.env.FILE_DEEDS ?? 5_000)
const fewerElsewhere = 100

const deedsPerRunMost = 250

/** Hours after which nothing is left of what no cell has: walks through all cells take days. */
const patienceHours = 6 * 24

const timeoutMs = 7_200_000

describeOnEveryStorage('files of bases that come and go', (storage) => {
  const deeds = Math.ceil(
    storage.name === 'sqlite' ? deedsOnSqlite : deedsOnSqlite / fewerElsewhere,
  )
  const deedsPerRun = Math.min(deeds, deedsPerRunMost)
  let folder: string
  let bucket: S3TestServer
  let world: TableWorld | undefined

  beforeAll(async () => {
    folder = mkdtempSync(join(inject('sqliteFolder'), 'kept-'))
    bucket = await startS3Server()
  })
  afterAll(async () => {
    await bucket.stop()
    rmSync(folder, { recursive: true })
  })
  afterEach(() => world?.close())

  const onDisk = () => new DiskBlobStore(mkdtempSync(join(folder, 'disk-')))
  let prefixes = 0
  const onS3 = () => {
    const { endpoint, bucket: name, key } = bucket
    const options = { endpoint, bucket: name, ...key, prefix: `kept${++prefixes}/` }
    return new S3BlobStore(options, mkdtempSync(join(folder, 'incoming-')))
  }

  const open = async (store: BlobStore) => {
    await world?.close()
    const times = { now: () => 0 }
    const blobs = new ClockedBlobStore(store, { now: () => times.now() })
    world = await openTableWorld(storage.inMemory ?? storage, { blobs })
    const { clock } = world
    times.now = () => clock.now()
    await world.api.spaces.createSpace({ name: 'Other' })
    return { blobs, doer: new FileDoer(world, blobs) }
  }

  describe.each([
    ['the disk', onDisk],
    ['a bucket', onS3],
  ])('on %s', (_, openStore) => {
    test(
      '[ATTACH-35] never miss a blob, nor leave one, whatever was done',
      async () => {
        let current: Awaited<ReturnType<typeof open>> | undefined
        let done = 0
        const runs = fc.array(fileDeed, { minLength: deedsPerRun, maxLength: deedsPerRun })
        const check = fc.asyncProperty(runs, fc.boolean(), async (steps, isRestored) => {
          const { blobs, doer } = current ?? (await open(openStore()))
          // What a failed run leaves is no concern of the next one.
          current = undefined
          for (const step of steps) {
            await doer.do(step)
            if (step.what === 'wait') expect(blobs.known).toEqual(within(await doer.paths()))
          }
          await doer.emptyTrash(isRestored)
          await doer.wait(patienceHours)
          const paths = await doer.paths()
          const stored = await blobs.paths()
          expect(stored.symmetricDifference(paths)).toEqual(new Set())
          expect(blobs.known).toEqual(stored)
          for (const path of paths) expect(await digestOf(blobs, path)).toBe(path.slice(0, 64))
          await doer.clear()
          done += doer.done
          doer.done = 0
          current = { blobs, doer }
        })
        // Each run takes seconds: shrinking one would take an hour.
        await fc.assert(check, { numRuns: Math.ceil(deeds / deedsPerRun), endOnFailure: true })
        expect(done).toBeGreaterThan(deeds / 2)
      },
      timeoutMs,
    )
  })
})

/** Matches a set that has all of these. */
function within(paths: ReadonlySet<string>): unknown {
  return expect.toSatisfy((found: ReadonlySet<string>) => paths.isSubsetOf(found), 'have each file')
}

async function digestOf(blobs: BlobStore, path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const piece of (await blobs.read(path)) ?? []) digest.update(piece)
  return digest.digest('hex')
}
