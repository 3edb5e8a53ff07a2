import type { BlobStore } from '../blob-store.ts'

/**
 * Removes bytes that nothing needs any more, or that what was refused does not need. Where that fails it is no fault of the
 * call, which is done or refused as if they were gone: they are found as bytes that belong to no file.
 */
export async function removeUnneeded(
  blobs: Pick<BlobStore, 'remove'>,
  path: string,
): Promise<void> {
  await blobs.remove(path).catch(() => undefined)
}
