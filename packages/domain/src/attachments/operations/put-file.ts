import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { BlobStore, PutBlob } from '../blob-store.ts'
import { isSizeFurtherOn } from '../files/image-size.ts'
import { sniffedBytes, sniffType } from '../files/sniff-type.ts'

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

/** The first bytes of a file: those that tell its type, and more of an image whose size stands further on. */
class Head {
  #room = new Uint8Array(sniffedBytes)
  #length = 0
  #most = sniffedBytes
  #isTypeKnown = false

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length)
  }

  add(piece: Uint8Array): void {
    const taken = this.#take(piece)
    if (this.#length < this.#most || this.#isTypeKnown) return
    this.#isTypeKnown = true
    if (!isSizeFurtherOn(sniffType(this.bytes, ''))) return
    this.#most = limits.fileHeadBytes
    this.#take(piece.subarray(taken))
  }

  /** Takes of the piece what there is room for; returns how many bytes. */
  #take(piece: Uint8Array): number {
    const part = piece.subarray(0, this.#most - this.#length)
    if (part.length === 0) return 0
    const length = this.#length + part.length
    if (length > this.#room.length) {
      const larger = new Uint8Array(Math.min(Math.max(length, 2 * this.#length), this.#most))
      larger.set(this.bytes)
      this.#room = larger
    }
    // A copy: who brings the bytes may use their memory again.
    this.#room.set(part, this.#length)
    this.#length = length
    return part.length
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
