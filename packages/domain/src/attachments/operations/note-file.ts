import { requireAnyFileRoom, requireFileRoom } from '../../billing/require-room.ts'
import { changedNothing } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import type { CallContext } from '../../use-case.ts'
import type { StoredFile } from '../attachment-repository.ts'
import type { BlobStore } from '../blob-store.ts'
import type { FileSource } from '../files/file-source.ts'
import { imageSizeOf } from '../files/image-size.ts'
import { sniffType } from '../files/sniff-type.ts'
import { removeUnneeded } from '../unused/remove-unneeded.ts'
import { type PutFile, putFile } from './put-file.ts'

/** Where a file is stored, and by which rules. */
export type FilePorts = Pick<Ports, 'blobs' | 'store' | 'settings'> &
  Pick<CallContext, 'now' | 'plans'>

/** For whom a file is stored: it is theirs alone until a cell has it. */
export interface FileOwner {
  readonly spaceId: string
  readonly userId: string
}

/** What is known of a file before it is looked at: the token that it gets, its name, and what it was said to be. */
interface NewFile extends FileOwner {
  readonly token: string
  readonly name: string
  readonly promisedType?: string
  /** Whether the same transaction puts it into a cell. */
  readonly isAttached?: boolean
}

/**
 * Puts the bytes of a file that cells of a space are to have, as they come. They are durable before anything refers to them.
 * Throws `payment_required` where the space has no room for any, and `payload_too_large` beyond the bytes that a file may
 * have.
 */
export async function putForSpace(
  { blobs, store, settings, now, plans }: FilePorts,
  source: FileSource,
  spaceId: string,
): Promise<PutFile> {
  // Before bytes are taken that there may be no room for at all.
  if (plans) await store.read((tx) => requireAnyFileRoom({ tx, now, plans }, spaceId))
  return putFile(blobs, source.stream(), settings.maxAttachmentBytes)
}

/**
 * Notes what is known of a file whose bytes were put, under a token that cells of the space can name. Bytes that are there
 * already are kept once: `removeSpare` is to remove those that were put after the commit. Throws `payment_required` where the
 * space has no room for the file.
 */
export async function noteFile(
  { tx, now, plans }: Pick<FilePorts, 'now' | 'plans'> & { readonly tx: WriteTx },
  put: PutFile,
  { token, spaceId, userId, name, promisedType, isAttached = false }: NewFile,
): Promise<StoredFile> {
  const mimetype = sniffType(put.head, name, promisedType)
  const { width, height } = imageSizeOf(put.head, mimetype) ?? { width: null, height: null }
  await requireFileRoom({ tx, now, plans }, spaceId, put.size)
  const known = { token, spaceId, size: put.size, mimetype, width, height }
  const attachedTime = isAttached ? now : null
  const file = { ...known, createdBy: userId, createdTime: now, attachedTime }
  const blob = { digest: put.digest, path: put.path, broughtTime: now }
  return { ...file, path: await tx.attachments.insertBrought(file, blob) }
}

/** Removes the bytes that were put for a file when those that were there already are kept. */
export async function removeSpare(
  blobs: Pick<BlobStore, 'remove'>,
  put: PutFile,
  stored: StoredFile,
): Promise<void> {
  if (stored.path !== put.path) await removeUnneeded(blobs, put.path)
}

/**
 * Notes a file whose bytes were put in a transaction of its own, once `claim` has passed there. Where that fails, the bytes
 * are removed again.
 */
export async function keepFile(
  { blobs, store, now, plans }: Pick<FilePorts, 'blobs' | 'store' | 'now' | 'plans'>,
  put: PutFile,
  file: NewFile,
  claim: (tx: WriteTx) => Promise<void> = async () => {},
): Promise<StoredFile> {
  const noted = store.write(async (tx) => {
    await claim(tx)
    return noteFile({ tx, now, plans }, put, file)
  })
  const stored = await noted.catch(async (error: unknown) => {
    if (changedNothing(error)) await removeUnneeded(blobs, put.path)
    throw error
  })
  await removeSpare(blobs, put, stored)
  return stored
}
