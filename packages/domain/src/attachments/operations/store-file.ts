import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import type { CallContext } from '../../use-case.ts'
import type { StoredFile } from '../attachment-repository.ts'
import type { FileSource } from '../file-source.ts'
import { imageSizeOf } from '../image-size.ts'
import { sniffType } from '../sniff-type.ts'

/** Where a file is stored, and by which rules. */
export type FilePorts = Pick<Ports, 'blobs' | 'store' | 'secrets' | 'settings'> &
  Pick<CallContext, 'now'>

/** For whom a file is stored: it is theirs alone until a cell has it. */
export interface FileOwner {
  readonly spaceId: string
  readonly userId: string
  /** The token that was given out for it; a new one when there was none. */
  readonly token?: string
}

/**
 * Stores a file as it comes in, and then what is known of it, under a token that cells of the space can name. Its bytes
 * are durable before anything refers to them; those that are there already are kept once. Throws `payload_too_large` beyond
 * the bytes that a file may have.
 */
export async function storeFile(
  ports: FilePorts,
  source: FileSource,
  { spaceId, userId, token = ports.secrets.token() }: FileOwner,
): Promise<StoredFile> {
  const { blobs, store, settings, now } = ports
  const head = new Head()
  const put = await blobs.put(upTo(settings.maxAttachmentBytes, source.stream(), head))
  const mimetype = sniffType(head.bytes, source.name)
  const { width, height } = imageSizeOf(head.bytes, mimetype) ?? { width: null, height: null }
  const known = { token, spaceId, size: put.size, mimetype, width, height }
  const file = await store.write(async (tx) => {
    const blob = { digest: put.digest, path: put.path, broughtTime: now }
    const path = await tx.attachments.keepBlob(blob)
    const stored = { ...known, path, createdBy: userId, createdTime: now, attachedTime: null }
    await tx.attachments.insert(stored)
    return stored
  })
  if (file.path !== put.path) await blobs.remove(put.path)
  return file
}

/** The bytes that a file begins with, as far as its type and the size of an image are read from them. */
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
