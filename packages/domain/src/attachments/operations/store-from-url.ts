import { invalidAt } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { StoredFile } from '../attachment-repository.ts'
import { FetchRefusal } from '../file-fetcher.ts'
import { toFileName } from '../file-name.ts'
import { type FileOwner, type FilePorts, storeFile } from './store-file.ts'

/**
 * Stores the file that the URL leads to, as it comes, and answers it with its name. Throws `validation_error` at
 * `fileUrl` when it can't be fetched, `service_busy` when its owner has too many fetched, and as `storeFile` does.
 */
export async function storeFromUrl(
  ports: FilePorts & Pick<Ports, 'fileFetcher'>,
  url: string,
  owner: FileOwner,
): Promise<StoredFile & { readonly name: string }> {
  const { fileFetcher, settings } = ports
  try {
    const fetched = await fileFetcher.fetch({
      url,
      most: settings.maxAttachmentBytes,
      caller: owner.userId,
    })
    try {
      return { ...(await storeFile(ports, fetched, owner)), name: toFileName(fetched.name) }
    } finally {
      fetched.end()
    }
  } catch (error) {
    if (error instanceof FetchRefusal) throw invalidAt(['fileUrl'], error.message)
    throw error
  }
}
