import type { BlobStore } from '@gateleg/domain/attachments/blob-store'
import { DiskBlobStore } from '@gateleg/engine/platform/blobs/disk-blob-store'
import type { S3Options } from '@gateleg/engine/platform/s3/s3-options'
import { type Configuration, ConfigurationError } from '../configuration/configuration.ts'
import { attachmentsFolder } from '../data-directory/data-directory.ts'

/**
 * Opens the store for attached files: in the data directory, or in the configured bucket. Throws a ConfigurationError
 * where the store refuses the bucket or the key. A store that can't be reached causes only a warning: it may come
 * back, and everything else works.
 */
export async function openBlobStore(
  { dataDir, s3 }: Pick<Configuration, 'dataDir' | 's3'>,
  warn: (sentence: string) => void,
): Promise<BlobStore> {
  const folder = attachmentsFolder(dataDir)
  return s3 ? openS3(s3, folder, warn) : new DiskBlobStore(folder)
}

/** Loads what it takes only where it is configured: most instances need none of it. */
async function openS3(options: S3Options, folder: string, warn: (sentence: string) => void) {
  const { S3BlobStore, S3Error } = await import('@gateleg/engine/s3')
  const store = new S3BlobStore(options, folder)
  try {
    await store.check()
  } catch (error) {
    if (!(error instanceof S3Error)) throw error
    const sentence = `The bucket "${options.bucket}" of S3_BUCKET can't be used. ${error.message}.`
    if (!error.isPassing) throw new ConfigurationError([sentence])
    warn(`${sentence} Files can't be read or stored until it answers.`)
  }
  return store
}
