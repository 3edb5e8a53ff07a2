import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { BlobStore, PutBlob } from '../blob-store.ts'

/** A file whose bytes are durable, and that nobody knows of yet. */
export interface PutFile extends PutBlob {
  /** The bytes that it begins with, as far as its type and the size of an image are read from them. */
  readonly head: Uint8Array
}

/** Puts the bytes of a file as they come in. Throws `payload_too_large` beyond the most, and nothing is left then. */
export async function putFile(
  blobs: BlobStore,
  bytes: AsyncIterable<Uint8Array>,
  most: number,
): Promise<PutFile> {
  const head = new Head()
  const put = await blobs.put(upTo(most, bytes, head))
  return { ...put, head: head.bytes }
}

/** Puts bytes that are held in memory. */
export function putBytes(blobs: BlobStore, bytes: Uint8Array): Promise<PutBlob> {
  return blobs.put(
    (async function* () {
      yield bytes
    })(),
  )
}

/** The first bytes of a file. */
class Head {
  #room = new Uint8Array()
  #length = 0

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length)
  }

  add(piece: Uint8Array): void {
    const part = piece.subarray(0, limits.fileHeadBytes - this.#length)
    if (part.length === 0) return
    const length = this.#length + part.length
    if (length > this.#room.length) {
      const larger = new Uint8Array(
        Math.min(Math.max(length, 2 * this.#length), limits.fileHeadBytes),
      )
      larger.set(this.bytes)
      this.#room = larger
    }
    // A copy: who brings the bytes may use their memory again.
    this.#room.set(part, this.#length)
    this.#length = length
  }
}

async function* upTo(
  most: number,
  bytes: AsyncIterable<Uint8Array>,
  head: Head,
): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > most) throw tooLarge(most)
    head.add(piece)
    yield piece
  }
}

/** The refusal of a file of more bytes than the most. */
export function tooLarge(most: number): DomainError {
  return new DomainError('payload_too_large', `A file may have ${most} bytes at most`)
}
