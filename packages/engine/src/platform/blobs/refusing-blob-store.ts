import type { BlobStore, ListedBlob, PutBlob } from '@gateleg/domain/attachments/blob-store'
import { DomainError } from '@gateleg/domain/errors'

/**
 * The blob store where a program has given no place for files: it refuses uploads, which would be lost when the
 * program ends.
 */
export class RefusingBlobStore implements BlobStore {
  get refusal(): DomainError {
    return new DomainError(
      'insufficient_storage',
      'This instance keeps no files: open its engine with { ports: { blobs: new DiskBlobStore(folder) } }',
    )
  }

  async put(): Promise<PutBlob> {
    throw this.refusal
  }

  async read(): Promise<undefined> {
    return undefined
  }

  async remove(): Promise<void> {}

  async *list(): AsyncIterable<readonly ListedBlob[]> {}
}
