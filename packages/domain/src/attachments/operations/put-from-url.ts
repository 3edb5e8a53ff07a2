import { invalidAt } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { CallContext } from '../../use-case.ts'
import { FetchRefusal } from '../files/file-fetcher.ts'
import { type FileOwner, type FilePorts, putForSpace } from './note-file.ts'
import type { PutFile } from './put-file.ts'

/**
 * Puts the bytes of the file that the URL leads to, as they come, and answers them with the name of the file. Throws
 * `validation_error` at `fileUrl` when it can't be fetched, `service_busy` when its owner has too many fetched, the
 * reason of the signal where nobody waits for it any more, and as `putForSpace` does.
 */
export async function putFromUrl(
  ports: FilePorts & Pick<Ports, 'fileFetcher'> & Pick<CallContext, 'signal'>,
  url: string,
  { spaceId, userId }: FileOwner,
): Promise<{ readonly put: PutFile; readonly name: string }> {
  const { fileFetcher, settings, signal } = ports
  try {
    const fetched = await fileFetcher.fetch({
      url,
      most: settings.maxAttachmentBytes,
      caller: userId,
      ...(signal && { signal }),
    })
    try {
      return { put: await putForSpace(ports, fetched, spaceId), name: fetched.name }
    } finally {
      fetched.end()
    }
  } catch (error) {
    if (error instanceof FetchRefusal) throw invalidAt(['fileUrl'], error.message)
    throw error
  }
}
