import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  BlobStore,
  ByteRange,
  ListedBlob,
  PutBlob,
} from '@gateleg/domain/attachments/blob-store'
import { toTimestamp } from '@gateleg/domain/clock'
import { DomainError } from '@gateleg/domain/errors'

/** A blob's path is the digest of its bytes, and what tells it from others of the same bytes. */
const pathForm = /^[0-9a-f]{64}-[0-9a-f]{16}$/

/** Where bytes lie that are coming in. */
const incoming = 'incoming'

/** Files that one page of a list tells of, at most. */
const filesPerPage = 1_000

/** Hours after which bytes that were coming in won't come any more: their process has ended. */
const incomingHours = 24

/**
 * Keeps blobs as files in a folder, in 256 folders by the first letters of their digests. A blob has its name only when
 * it is whole and on the disk; what a killed process leaves lies in a folder apart, and a list removes it after a day.
 */
export class DiskBlobStore implements BlobStore {
  readonly #folder: string
  readonly #nowMs: () => number

  /** Takes the folder, which is made when it is needed, for its owner's eyes only. */
  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder
    this.#nowMs = nowMs
  }

  async put(bytes: AsyncIterable<Uint8Array>): Promise<PutBlob> {
    const mark = randomBytes(8).toString('hex')
    const part = join(this.#folder, incoming, `${mark}.part`)
    try {
      await makeFolder(join(this.#folder, incoming))
      const { digest, size } = await writeAll(part, bytes)
      const path = `${digest}-${mark}`
      const shard = join(this.#folder, path.slice(0, 2))
      const isNew = await makeFolder(shard)
      await rename(part, join(shard, path))
      await syncFolder(shard)
      if (isNew) await syncFolder(this.#folder)
      return { path, digest, size }
    } catch (error) {
      await rm(part, { force: true })
      throw toRefusal(error)
    }
  }

  async read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = this.#fileOf(path)
    if (file === undefined || !(await isThere(file))) return undefined
    return readLazily(file, range)
  }

  async remove(path: string): Promise<void> {
    const file = this.#fileOf(path)
    if (file !== undefined) await rm(file, { force: true })
  }

  async *list(): AsyncIterable<readonly ListedBlob[]> {
    await this.#removeLeftovers()
    for (let shard = 0; shard < 256; shard++) {
      const folder = join(this.#folder, shard.toString(16).padStart(2, '0'))
      let page: ListedBlob[] = []
      for await (const name of namesIn(folder)) {
        const found = pathForm.test(name) ? await statOf(join(folder, name)) : undefined
        if (found) page.push({ path: name, putTime: toTimestamp(Math.floor(found.mtimeMs)) })
        if (page.length < filesPerPage) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    }
  }

  /** The file of a path; undefined for what is no path of ours, so that none leads out of the folder. */
  #fileOf(path: string): string | undefined {
    return pathForm.test(path) ? join(this.#folder, path.slice(0, 2), path) : undefined
  }

  async #removeLeftovers(): Promise<void> {
    const folder = join(this.#folder, incoming)
    const before = this.#nowMs() - incomingHours * 3_600_000
    for await (const name of namesIn(folder)) {
      const found = await statOf(join(folder, name))
      if (found && found.mtimeMs < before) await rm(join(folder, name), { force: true })
    }
  }
}

/** Writes a new file, and has its bytes on the disk. */
async function writeAll(file: string, bytes: AsyncIterable<Uint8Array>) {
  const digest = createHash('sha256')
  let size = 0
  const handle: FileHandle = await open(file, 'wx', 0o600)
  try {
    for await (const piece of bytes) {
      digest.update(piece)
      size += piece.length
      await handle.appendFile(piece)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { digest: digest.digest('hex'), size }
}

/** Opens the file once somebody reads it: who never does leaves nothing open. */
async function* readLazily(file: string, range: ByteRange | undefined): AsyncIterable<Uint8Array> {
  yield* createReadStream(file, range && { start: range.first, end: range.last })
}

/** Answers whether it was not there before. */
async function makeFolder(folder: string): Promise<boolean> {
  return (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
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

async function isThere(file: string): Promise<boolean> {
  return (await statOf(file)) !== undefined
}

async function statOf(file: string) {
  try {
    return await stat(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function* namesIn(folder: string): AsyncIterable<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** What a file system says when it has no room: for the file, for its owner, for so large a file. */
const roomCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function toRefusal(error: unknown): unknown {
  if (!roomCodes.has(codeOf(error) ?? '')) return error
  const message = 'There is no room for the file: nothing was changed'
  return Object.assign(new DomainError('insufficient_storage', message), { cause: error })
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
