import { DomainError } from '../../errors.ts'
import type { BlobStore } from '../blob-store.ts'
import { exactly } from '../files/exactly.ts'

/**
 * All bytes of a blob, which are asked for when the first are read. Fails with `not_found` where there are none any more, and
 * with `service_busy` where not as many come as there must be; ends with the reason of the signal, between two pieces.
 */
export async function* storedBytes(
  blobs: Pick<BlobStore, 'read'>,
  {
    path,
    size,
    signal,
  }: {
    readonly path: string
    readonly size: number
    readonly signal?: AbortSignal | undefined
  },
): AsyncGenerator<Uint8Array> {
  const pieces = await blobs.read(path)
  if (!pieces) throw new DomainError('not_found', 'The file does not exist any more')
  for await (const piece of exactly(size, pieces)) {
    signal?.throwIfAborted()
    yield piece
  }
}
