/**
 * A blob's path: the digest of its bytes, the owner for whom it was put if there is one, and a suffix that tells it from other
 * blobs with the same bytes.
 */
export const blobPathForm = /^[0-9a-f]{64}-(?:[0-9a-f]{8}-)?[0-9a-f]{16}$/

const ownerForm = /^[0-9a-f]{64}-([0-9a-f]{8})-/

/** The path of a blob; `mark` is what no other one has. */
export function blobPath(digest: string, mark: string, owner: string | undefined): string {
  return owner === undefined ? `${digest}-${mark}` : `${digest}-${owner}-${mark}`
}

/** The owner for whom the blob of the path was put; undefined where there is none. */
export function ownerIn(path: string): string | undefined {
  return ownerForm.exec(path)?.[1]
}
