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
import { blobPath, blobPathForm, ownerIn } from './blob-path.ts'
import { IncomingFolder, inFolder, namesIn, statOf } from './incoming-folder.ts'

/**
 * The file in which a store in the folder keeps a blob: it is in a subfolder named after the beginning of its path.
 * Undefined for a path that the store didn't make, so that no path leads out of the folder.
 */
export function blobFile(folder: string, path: string): string | undefined {
  return blobPathForm.test(path) ? join(folder, path.slice(0, 2), path) : undefined
}

/** Files that one page of a list tells of, at most. */
const filesPerPage = 1_000

/**
 * Keeps blobs as files, in 256 subfolders by the first letters of their digests. A blob gets its name once it is
 * complete and on disk; what a killed process leaves is in a separate folder, and is removed by a listing after a
 * day.
 */
export class DiskBlobStore implements BlobStore {
  readonly #folder: string
  readonly #incoming: IncomingFolder

  /** Takes the folder, which is made when it is needed, for its owner's eyes only. */
  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder
    this.#incoming = new IncomingFolder(join(folder, 'incoming'), nowMs)
  }

  put(bytes: AsyncIterable<Uint8Array>, owner?: string): Promise<PutBlob> {
    return this.#incoming.takeAndMove(bytes, async ({ file, mark, digest, size }) => {
      const path = blobPath(digest, mark, owner)
      const kept = blobFile(this.#folder, path)
      assert(kept !== undefined, 'a digest and a mark are a path')
      const shard = dirname(kept)
      const move = () => rename(file, kept)
      await inFolder(shard, move, () => syncFolder(this.#folder))
      await syncFolder(shard)
      return { path, digest, size }
    })
  }

  async read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = blobFile(this.#folder, path)
    const found = file === undefined ? undefined : await statOf(file)
    if (file === undefined || !found) return undefined
    // Its end is known, since bytes never change: nothing is read to find out.
    return readLazily(file, range ?? { first: 0, last: found.size - 1 })
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
        const putTime = found && toTimestamp(Math.floor(found.mtimeMs))
        if (putTime) page.push({ path: name, putTime, owner: ownerIn(name) })
        if (page.length < filesPerPage) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    }
  }
}

/**
 * Reads the file, which is opened when the first bytes are asked for: a reader that never begins leaves nothing open.
 */
export async function* readLazily(file: string, range?: ByteRange): AsyncIterable<Uint8Array> {
  if (range && range.last < range.first) return
  yield* createReadStream(file, range && { start: range.first, end: range.last })
}

/** Syncs a folder to the disk, with the entries of new or renamed files. */
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
