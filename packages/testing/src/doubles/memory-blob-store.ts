import { createHash } from 'node:crypto'
import type {
  BlobStore,
  ByteRange,
  ListedBlob,
  PutBlob,
} from '@gateleg/domain/attachments/blob-store'
import { toTimestamp } from '@gateleg/domain/clock'

interface Kept {
  readonly bytes: Buffer
  readonly putMs: number
  readonly owner: string | undefined
}

/** Keeps blobs in memory, for as long as the process lasts: for engines whose data doesn't outlast it either. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, Kept>()
  readonly #nowMs: () => number
  /** Numbers the blobs, so that two runs of one test give the same paths. */
  #count = 0

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs
  }

  async put(source: AsyncIterable<Uint8Array>, owner?: string): Promise<PutBlob> {
    const pieces: Uint8Array[] = []
    for await (const piece of source) pieces.push(Uint8Array.from(piece))
    const bytes = Buffer.concat(pieces)
    const digest = createHash('sha256').update(bytes).digest('hex')
    const path = `${digest}-${(++this.#count).toString(16).padStart(16, '0')}`
    this.#blobs.set(path, { bytes, putMs: this.#nowMs(), owner })
    return { path, digest, size: bytes.length }
  }

  async read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const kept = this.#blobs.get(path)
    if (!kept) return undefined
    const part = range ? kept.bytes.subarray(range.first, range.last + 1) : kept.bytes
    return inPieces(part)
  }

  async remove(path: string): Promise<void> {
    this.#blobs.delete(path)
  }

  async *list(): AsyncIterable<readonly ListedBlob[]> {
    const all = [...this.#blobs]
    for (let start = 0; start < all.length; start += 1_000) {
      yield all
        .slice(start, start + 1_000)
        .map(([path, { putMs, owner }]) => ({ path, putTime: toTimestamp(putMs), owner }))
    }
  }
}

const pieceBytes = 64 * 1024

async function* inPieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes)
  }
}
