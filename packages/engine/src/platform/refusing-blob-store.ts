import type { BlobStore, ListedBlob, PutBlob } from '@gateleg/domain/attachments/blob-store'
import { DomainError } from '@gateleg/domain/errors'

/** Stands where a program has named no place for files: what would be lost at its end is refused. */
export class RefusingBlobStore implements BlobStore {
  async put(): Promise<PutBlob> {
    throw new DomainError(
      'insufficient_storage',
      'This instance keeps no files: open its engine with { ports: { blobs: new DiskBlobStore(folder) } }',
    )
  }

  async read(): Promise<undefined> {
    return undefined
  }

  async remove(): Promise<void> {}

  async *list(): AsyncIterable<readonly ListedBlob[]> {}
}
