/**
 * A blob's path: the digest of its bytes, the owner for whom it was put if there is one, and a mark that tells it from other
 * blobs with the same bytes. Behind them may stand the subfolder in which a disk has it.
 */
export const blobPathForm = /^[0-9a-f]{64}-(?:[0-9a-f]{8}-)?[0-9a-f]{16}(?:-[0-9a-f]{2})?$/

const ownerForm = /^[0-9a-f]{64}-([0-9a-f]{8})-/

const subfolderForm = /-([0-9a-f]{2})$/

/** What a path is made of. */
interface BlobPathParts {
  readonly digest: string
  /** What no other one has. */
  readonly mark: string
  readonly owner: string | undefined
  readonly subfolder?: string
}

/** The path of a blob. */
export function blobPath({ digest, mark, owner, subfolder }: BlobPathParts): string {
  return [digest, owner, mark, subfolder].filter((part) => part !== undefined).join('-')
}

/** The owner for whom the blob of the path was put; undefined where there is none. */
export function ownerIn(path: string): string | undefined {
  return ownerForm.exec(path)?.[1]
}

/** The subfolder in which a disk has the blob of the path: where it doesn't say, that of the beginning of its digest. */
export function subfolderIn(path: string): string {
  return subfolderForm.exec(path)?.[1] ?? path.slice(0, 2)
}
