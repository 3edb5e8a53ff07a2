import { randomBytes } from 'node:crypto'
import type { BlobStore } from '@gateleg/domain/attachments/blob-store'
import type { OpenStorage } from '@gateleg/domain/store'

/**
 * The name that marks the files of this storage, where other storages keep files in the same folder or bucket; made when
 * the storage has none yet. Undefined where a storage can't share its folder.
 */
export async function takeFileOwner(
  storage: Pick<OpenStorage, 'fileOwner'>,
): Promise<string | undefined> {
  return storage.fileOwner?.(randomBytes(4).toString('hex'))
}

/** A blob store that marks each new file as the owner's. */
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
