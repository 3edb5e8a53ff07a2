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

class Head {
  #pieces: Uint8Array[] = []
  #length = 0

  get bytes(): Uint8Array {
    const joined = new Uint8Array(this.#length)
    let place = 0
    for (const piece of this.#pieces) {
      joined.set(piece, place)
      place += piece.length
    }
    return joined
  }

  add(piece: Uint8Array): void {
    const room = limits.fileHeadBytes - this.#length
    if (room <= 0) return
    // A copy: who brings the bytes may use their memory again.
    const part = Uint8Array.from(piece.subarray(0, room))
    this.#pieces.push(part)
    this.#length += part.length
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
