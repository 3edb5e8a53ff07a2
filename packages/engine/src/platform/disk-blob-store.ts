import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type {
  BlobStore,
  ByteRange,
  ListedBlob,
  PutBlob,
} from '@gateleg/domain/attachments/blob-store'
import { toTimestamp } from '@gateleg/domain/clock'
import { assert } from '@gateleg/domain/errors'
import { IncomingFolder, makeFolder, namesIn, statOf } from './incoming-folder.ts'

/** A blob's path is the digest of its bytes, and what tells it from others of the same bytes. */
export const blobPathForm = /^[0-9a-f]{64}-[0-9a-f]{16}$/

/**
 * Where a store in the folder keeps a blob: in a folder that is called as its path begins. Undefined for what is no path of
 * ours, so that none leads out of the folder.
 */
export function blobFile(folder: string, path: string): string | undefined {
  return blobPathForm.test(path) ? join(folder, path.slice(0, 2), path) : undefined
}

/** Files that one page of a list tells of, at most. */
const filesPerPage = 1_000

/**
 * Keeps blobs as files in a folder, in 256 folders by the first letters of their digests. A blob has its name only when
 * it is whole and on the disk; what a killed process leaves lies in a folder apart, and a list removes it after a day.
 */
export class DiskBlobStore implements BlobStore {
  readonly #folder: string
  readonly #incoming: IncomingFolder

  /** Takes the folder, which is made when it is needed, for its owner's eyes only. */
  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder
    this.#incoming = new IncomingFolder(join(folder, 'incoming'), nowMs)
  }

  put(bytes: AsyncIterable<Uint8Array>): Promise<PutBlob> {
    return this.#incoming.take(bytes, true, async ({ file, mark, digest, size }) => {
      const path = `${digest}-${mark}`
      const kept = blobFile(this.#folder, path)
      assert(kept !== undefined, 'a digest and a mark are a path')
      const shard = dirname(kept)
      const isNew = await makeFolder(shard)
      await rename(file, kept)
      await syncFolder(shard)
      if (isNew) await syncFolder(this.#folder)
      return { path, digest, size }
    })
  }

  async read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = blobFile(this.#folder, path)
    if (file === undefined || !(await statOf(file))) return undefined
    return readLazily(file, range)
  }

  async remove(path: string): Promise<void> {
    const file = blobFile(this.#folder, path)
    if (file !== undefined) await rm(file, { force: true })
  }

  async *list(): AsyncIterable<readonly ListedBlob[]> {
    await this.#incoming.removeLeftovers()
    for (let shard = 0; shard < 256; shard++) {
      const folder = join(this.#folder, shard.toString(16).padStart(2, '0'))
      let page: ListedBlob[] = []
      for await (const name of namesIn(folder)) {
        const found = blobPathForm.test(name) ? await statOf(join(folder, name)) : undefined
        if (found) page.push({ path: name, putTime: toTimestamp(Math.floor(found.mtimeMs)) })
        if (page.length < filesPerPage) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    }
  }
}

/** Opens the file once somebody reads it: who never does leaves nothing open. */
export async function* readLazily(file: string, range?: ByteRange): AsyncIterable<Uint8Array> {
  yield* createReadStream(file, range && { start: range.first, end: range.last })
}

/** Has the entry of a new or renamed file on the disk. */
async function syncFolder(folder: string): Promise<void> {
  // Windows syncs entries by itself, and has no way to ask for it.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
