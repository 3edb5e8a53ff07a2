import { randomBytes } from 'node:crypto'
import type { BlobStore } from '@gateleg/domain/attachments/blob-store'
import type { OpenStorage } from '@gateleg/domain/store'

/**
 * What tells the files of these data from those of others in the same folder or bucket; made when the storage keeps nothing
 * yet. Undefined where no others can have files there.
 */
export async function takeFileOwner(
  storage: Pick<OpenStorage, 'fileOwner'>,
): Promise<string | undefined> {
  return storage.fileOwner?.(randomBytes(4).toString('hex'))
}

/** A blob store that puts for the owner. */
export function ownedBlobs(blobs: BlobStore, owner: string | undefined): BlobStore {
  return {
    get refusal() {
      return blobs.refusal
    },
    put: (bytes) => blobs.put(bytes, owner),
    read: (path, range) => blobs.read(path, range),
    remove: (path) => blobs.remove(path),
    list: () => blobs.list(),
  }
}
