import type { Ports } from '../../ports.ts'
import { type ThumbnailKind, thumbnailKinds, thumbnailSizes } from '../thumbnails/thumbnail.ts'
import type { MakeThumbnails } from '../thumbnails/thumbnail-maker.ts'
import type { StoredThumbnail } from '../thumbnails/thumbnail-repository.ts'
import { removeUnneeded } from '../unused/remove-unneeded.ts'
import { putBytes } from './put-file.ts'
import { storedBytes } from './stored-bytes.ts'

/** An image whose thumbnail is asked for. */
export interface ThumbnailRequest {
  /** The key of its bytes in the blob store. */
  readonly path: string
  readonly mimetype: string
  /** The number of its bytes. */
  readonly size: number
  readonly kind: ThumbnailKind
  /** Whose turn making it takes. */
  readonly userId: string
  /** Says that nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined
}

type ThumbnailPorts = Pick<Ports, 'store' | 'blobs' | 'thumbnails'>

/**
 * The thumbnail of an image. Where it is the first time that one is asked for, all are made and kept; whoever asks
 * meanwhile finds them then. Throws `not_found` where there are no bytes any more, and `service_busy` where they can't be read
 * whole now, and the reason of the signal where its turn comes, or is under way, when nobody waits: nothing is kept then, and who asks next has them read again.
 */
export async function findThumbnail(
  ports: ThumbnailPorts,
  request: ThumbnailRequest,
): Promise<StoredThumbnail | undefined> {
  const { path, kind, userId, signal } = request
  const find = () => ports.store.read((tx) => tx.thumbnails.find(path, kind))
  const found = await find()
  if (found) return found
  return ports.thumbnails.inTurn(userId, async (make) => {
    signal?.throwIfAborted()
    const meanwhile = await find()
    if (meanwhile) return meanwhile
    await makeThumbnails(ports, request, make)
    return find()
  })
}

/**
 * The bytes of thumbnails are durable before they are known: a process that ends in between leaves bytes that nobody knows of, and
 * whoever asks next has them made again.
 */
async function makeThumbnails(
  { store, blobs }: ThumbnailPorts,
  { path, mimetype, size, signal }: ThumbnailRequest,
  make: MakeThumbnails,
): Promise<void> {
  const bytes = storedBytes(blobs, { path, size, signal })
  const sizes = thumbnailKinds.map((kind) => thumbnailSizes[kind])
  const made = await make({ type: mimetype, size, bytes }, sizes)
  const thumbnails: StoredThumbnail[] = []
  for (const [index, kind] of thumbnailKinds.entries()) {
    const image = made?.[index]
    const put = image && (await putBytes(blobs, image))
    thumbnails.push({ sourcePath: path, kind, path: put?.path ?? null, size: put?.size ?? 0 })
  }
  if (await store.write((tx) => tx.thumbnails.insert(thumbnails))) return
  // Another server was quicker, or the image is gone.
  for (const { path: unneeded } of thumbnails) if (unneeded) await removeUnneeded(blobs, unneeded)
}
