import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  BlobStore,
  ByteRange,
  ListedBlob,
  PutBlob,
} from '@gateleg/domain/attachments/blob-store'
import { toTimestamp } from '@gateleg/domain/clock'
import { DomainError } from '@gateleg/domain/errors'
import { blobPath, blobPathForm, ownerIn, subfolderIn } from './blob-path.ts'
import { codeOf, onDisk, toDiskRefusal } from './files-refusal.ts'
import { IncomingFolder, namesIn, statOf } from './incoming-folder.ts'
import { NamingRounds } from './naming-rounds.ts'

/**
 * The file in which a store in the folder keeps a blob: it is in a subfolder that its path tells. Undefined for a path that
 * the store didn't make, so that no path leads out of the folder.
 */
export function blobFile(folder: string, path: string): string | undefined {
  return blobPathForm.test(path) ? join(folder, subfolderIn(path), path) : undefined
}

/**
 * Hours after which a file that is coming in was left by a killed process: bytes that come more slowly than some in a second are
 * given up, and once all are there they get their name.
 */
const leftoverHours = 1

/** Files that one page of a list tells of, at most. */
const filesPerPage = 1_000

/**
 * Keeps blobs as files, in 256 subfolders. A blob gets its name once it is complete and on disk; what a killed process
 * leaves is in a separate folder, and is removed by a listing an hour after it was written last.
 */
export class DiskBlobStore implements BlobStore {
  readonly #folder: string
  readonly #incoming: IncomingFolder
  readonly #naming: NamingRounds

  /** Takes the folder, which is made when it is needed, for its owner's eyes only. */
  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder
    this.#incoming = new IncomingFolder(join(folder, 'incoming'), leftoverHours, nowMs)
    this.#naming = new NamingRounds(folder)
  }

  put(bytes: AsyncIterable<Uint8Array>, owner?: string): Promise<PutBlob> {
    return this.#incoming.takeAndMove(bytes, async ({ file, mark, digest, size }) => {
      const toName = (subfolder: string) => blobPath({ digest, mark, owner, subfolder })
      return { path: await this.#naming.name(file, toName), digest, size }
    })
  }

  async read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = blobFile(this.#folder, path)
    const found = file === undefined ? undefined : await onDisk(() => statOf(file))
    if (file === undefined || !found) return undefined
    // Its end is known, since bytes never change: nothing is read to find out.
    return refusing(readLazily(file, range ?? { first: 0, last: found.size - 1 }))
  }

  async remove(path: string): Promise<void> {
    const file = blobFile(this.#folder, path)
    if (file !== undefined) await onDisk(() => rm(file, { force: true }))
  }

  list(): AsyncIterable<readonly ListedBlob[]> {
    return refusing(this.#pages())
  }

  async *#pages(): AsyncIterable<readonly ListedBlob[]> {
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

/** What is read, piece by piece, with errors of the disk converted for the caller. */
async function* refusing<T>(read: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* read
  } catch (error) {
    // It was there when its size was asked for.
    if (codeOf(error) === 'ENOENT') {
      throw new DomainError('not_found', 'The file does not exist any more')
    }
    throw toDiskRefusal(error)
  }
}

/**
 * Reads the file, which is opened when the first bytes are asked for: a reader that never begins leaves nothing open.
 */
export async function* readLazily(file: string, range?: ByteRange): AsyncIterable<Uint8Array> {
  if (range && range.last < range.first) return
  yield* createReadStream(file, range && { start: range.first, end: range.last })
}
