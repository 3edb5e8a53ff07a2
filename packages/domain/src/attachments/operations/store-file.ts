import { requireAnyFileRoom, requireFileRoom } from '../../billing/require-room.ts'
import { DomainError } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import type { StoredFile } from '../attachment-repository.ts'
import type { FileSource } from '../file-source.ts'
import { imageSizeOf } from '../image-size.ts'
import { sniffType } from '../sniff-type.ts'
import { type PutFile, putFile } from './put-file.ts'

/** Where a file is stored, and by which rules. */
export type FilePorts = Pick<Ports, 'blobs' | 'store' | 'secrets' | 'settings'> &
  Pick<CallContext, 'now' | 'plans'>

/** For whom a file is stored: it is theirs alone until a cell has it. */
export interface FileOwner {
  readonly spaceId: string
  readonly userId: string
}

/** What is known of a file before it is looked at: the token that it gets, its name, and what it was said to be. */
export interface NewFile extends FileOwner {
  readonly token: string
  readonly name: string
  readonly promisedType?: string
}

/**
 * Stores a file as it comes in, and then what is known of it, under a token that cells of the space can name. Its bytes
 * are durable before anything refers to them; those that are there already are kept once. Throws `payload_too_large` beyond
 * the bytes that a file may have.
 */
export async function storeFile(
  ports: FilePorts,
  source: FileSource,
  { spaceId, userId }: FileOwner,
): Promise<StoredFile> {
  const { blobs, store, settings, secrets, now, plans } = ports
  // Before bytes are taken that there may be no room for at all.
  await store.read((tx) => requireAnyFileRoom({ tx, now, plans }, spaceId))
  const put = await putFile(blobs, source.stream(), settings.maxAttachmentBytes)
  const token = secrets.token()
  return keepFile(ports, put, { spaceId, userId, token, name: source.name })
}

/**
 * Notes what is known of a file whose bytes were put, once `claim` has passed in the same transaction. Where that fails,
 * the bytes are removed again.
 */
export async function keepFile(
  { blobs, store, now, plans }: Pick<FilePorts, 'blobs' | 'store' | 'now' | 'plans'>,
  put: PutFile,
  { token, spaceId, userId, name, promisedType }: NewFile,
  claim: (tx: WriteTx) => Promise<void> = async () => {},
): Promise<StoredFile> {
  const mimetype = sniffType(put.head, name, promisedType)
  const { width, height } = imageSizeOf(put.head, mimetype) ?? { width: null, height: null }
  const known = { token, spaceId, size: put.size, mimetype, width, height }
  const kept = store.write(async (tx) => {
    await claim(tx)
    await requireFileRoom({ tx, now, plans }, spaceId, put.size)
    const blob = { digest: put.digest, path: put.path, broughtTime: now }
    const path = await tx.attachments.keepBlob(blob)
    const stored = { ...known, path, createdBy: userId, createdTime: now, attachedTime: null }
    await tx.attachments.insert(stored)
    return stored
  })
  const file = await kept.catch(async (error: unknown) => {
    // After any other failure nobody knows whether the file is there.
    if (error instanceof DomainError) await blobs.remove(put.path)
    throw error
  })
  if (file.path !== put.path) await blobs.remove(put.path)
  return file
}
