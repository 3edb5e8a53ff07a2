import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobStoreContract, piecesOf } from '@gateleg/testing/contracts/files/blob-store-contract'
import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { expect, test } from 'vitest'
import { DiskBlobStore } from './disk-blob-store.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'gateleg-blobs-'))

blobStoreContract('files in a folder', async () => new DiskBlobStore(newFolder()))
blobStoreContract('memory', async () => new MemoryBlobStore())

test('[BLOB-7] a file has its name when it is whole, and is for its owner alone', async () => {
  const folder = newFolder()
  const store = new DiskBlobStore(folder)
  const seen: string[][] = []
  const filesIn = () => readdirSync(folder, { recursive: true }).map(String).toSorted()
  async function* watching() {
    yield Buffer.from('first')
    yield Buffer.from('second')
    seen.push(filesIn())
  }
  const { path } = await store.put(watching())
  expect(seen).toEqual([['incoming', expect.stringMatching(/^incoming\/[0-9a-f]+\.part$/)]])
  const shard = path.slice(-2)
  expect(filesIn()).toEqual([shard, join(shard, path), 'incoming'].toSorted())
  expect(statSync(join(folder, shard, path)).mode & 0o077).toBe(0)
  expect(statSync(join(folder, shard)).mode & 0o077).toBe(0)
})

test('[BLOB-7] what a killed process leaves is not seen, and removed after an hour', async () => {
  const folder = newFolder()
  let nowMs = Date.now()
  const store = new DiskBlobStore(folder, () => nowMs)
  await store.put(piecesOf(Buffer.from('whole')))
  const left = join(folder, 'incoming', 'dead.part')
  writeFileSync(left, 'half')
  utimesSync(left, nowMs / 1_000, nowMs / 1_000)
  const list = async () => {
    let count = 0
    for await (const page of store.list()) count += page.length
    return count
  }
  expect(await list()).toBe(1)
  expect(readdirSync(join(folder, 'incoming'))).toEqual(['dead.part'])
  nowMs += 3_599_000
  expect(await list()).toBe(1)
  expect(readdirSync(join(folder, 'incoming'))).toEqual(['dead.part'])
  nowMs += 2_000
  expect(await list()).toBe(1)
  expect(readdirSync(join(folder, 'incoming'))).toEqual([])
})

test('[BLOB-31] what is still coming in is not removed, however slowly it comes', async () => {
  const folder = newFolder()
  let nowMs = Date.now()
  const store = new DiskBlobStore(folder, () => nowMs)
  const rest = Promise.withResolvers<void>()
  const putting = store.put(
    (async function* () {
      yield Buffer.from('some')
      await rest.promise
      yield Buffer.from(' more')
    })(),
  )
  const incoming = () => readdirSync(join(folder, 'incoming'))
  await expect.poll(() => readdirSync(folder)).toEqual(['incoming'])
  await expect.poll(incoming).toHaveLength(1)
  nowMs += 2 * 3_600_000
  for await (const page of store.list()) expect(page).toEqual([])
  expect(incoming()).toHaveLength(1)
  rest.resolve()
  const { path, size } = await putting
  expect([size, (await store.read(path)) !== undefined]).toEqual([9, true])
})

test('[BLOB-8] a full disk is told as such, and nothing of the file is left', async () => {
  const folder = newFolder()
  const store = new DiskBlobStore(folder)
  async function* filling() {
    yield Buffer.from('some')
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  }
  await expect(store.put(filling())).rejects.toMatchObject({ code: 'insufficient_storage' })
  expect(readdirSync(join(folder, 'incoming'))).toEqual([])
})

test('[BLOB-40] a disk that fails otherwise than by being full is `service_busy`, with what it said as the cause', async () => {
  const folder = newFolder()
  const store = new DiskBlobStore(folder)
  const refusal = (code: string) => ({
    code: 'service_busy',
    data: { retryAfterSeconds: 60 },
    cause: { code },
  })
  const { path } = await store.put(piecesOf(Buffer.from('whole')))
  const read = await store.read(path)
  // A file stands where a folder was, so that nothing in it can be reached.
  const shard = join(folder, path.slice(-2))
  rmSync(shard, { recursive: true })
  writeFileSync(shard, '')
  await expect(store.read(path)).rejects.toMatchObject(refusal('ENOTDIR'))
  await expect(allOf(read)).rejects.toMatchObject(refusal('ENOTDIR'))
  await expect(store.remove(path)).rejects.toMatchObject(refusal('ENOTDIR'))
  await expect(allOf(store.list())).rejects.toMatchObject(refusal('ENOTDIR'))
  rmSync(join(folder, 'incoming'), { recursive: true })
  writeFileSync(join(folder, 'incoming'), '')
  await expect(store.put(piecesOf(Buffer.from('more')))).rejects.toMatchObject(refusal('ENOTDIR'))
})

test('[BLOB-40] a file that goes before it is read is `not_found`', async () => {
  const folder = newFolder()
  const store = new DiskBlobStore(folder)
  const { path } = await store.put(piecesOf(Buffer.from('whole')))
  const read = await store.read(path)
  await store.remove(path)
  await expect(allOf(read)).rejects.toMatchObject({ code: 'not_found' })
})

test('[BLOB-40] what brings the bytes says itself why they break off', async () => {
  const failure = Object.assign(new Error('read ECONNRESET'), {
    code: 'ECONNRESET',
    syscall: 'read',
  })
  async function* broken() {
    yield Buffer.from('some')
    throw failure
  }
  await expect(new DiskBlobStore(newFolder()).put(broken())).rejects.toBe(failure)
})

async function allOf<T>(pieces: AsyncIterable<T> | undefined): Promise<readonly T[]> {
  const all: T[] = []
  for await (const piece of pieces ?? []) all.push(piece)
  return all
}
