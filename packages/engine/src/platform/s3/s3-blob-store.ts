import { join } from 'node:path'
import type {
  BlobStore,
  ByteRange,
  ListedBlob,
  PutBlob,
} from '@gateleg/domain/attachments/blob-store'
import { toTimestamp } from '@gateleg/domain/clock'
import { DomainError } from '@gateleg/domain/errors'
import { blobPath, blobPathForm, ownerIn } from '../blobs/blob-path.ts'
import { IncomingFolder } from '../blobs/incoming-folder.ts'
import { S3Client, type S3Patience } from './s3-client.ts'
import { S3Error, toDomainError } from './s3-error.ts'
import type { S3Options } from './s3-options.ts'
import { abortUpload, oldUploads, partBytesMin, putInParts, wholeBody } from './s3-upload.ts'
import { partsIn, textIn } from './s3-xml.ts'

export { S3Error } from './s3-error.ts'
export type { S3Options } from './s3-options.ts'

/**
 * Hours after which what was on its way won't come any more, since its process has ended: of a large file, all parts are sent from
 * the folder, however long that takes.
 */
const uploadHours = 24

/** Objects that a page of a list has: no store gives more. */
const pageItems = 1_000

/** What tests set otherwise. */
interface S3Terms {
  readonly nowMs?: () => number
  /** Bytes up to which a blob is sent in one piece, and of each part of larger ones. */
  readonly partBytes?: number
  /** Objects that a page of a list has at most. */
  readonly pageItems?: number
  readonly patience?: S3Patience
}

/**
 * Keeps blobs as objects in a bucket. Bytes are collected in a folder of this machine until all have arrived, so that
 * the store gets them fast, with their length and digest, and never gets part of a file. A blob is durable once the
 * store has confirmed it.
 */
export class S3BlobStore implements BlobStore {
  readonly #client: S3Client
  readonly #incoming: IncomingFolder
  readonly #nowMs: () => number
  readonly #partBytes: number
  readonly #pageItems: number

  /** Takes the bucket, and a folder where bytes lie while they come in, which is made when it is needed. */
  constructor(options: S3Options, folder: string, terms: S3Terms = {}) {
    this.#client = new S3Client(options, terms.patience)
    this.#nowMs = terms.nowMs ?? Date.now
    this.#incoming = new IncomingFolder(join(folder, 'incoming'), uploadHours, this.#nowMs)
    this.#partBytes = terms.partBytes ?? partBytesMin
    this.#pageItems = terms.pageItems ?? pageItems
  }

  /** Throws an S3Error where the bucket can't be used: it isn't there, or the key is wrong. */
  async check(): Promise<void> {
    await this.#client.ask({ method: 'GET', query: this.#pageQuery('', 1) })
  }

  put(bytes: AsyncIterable<Uint8Array>, owner?: string): Promise<PutBlob> {
    return this.#incoming.takeForNow(bytes, async ({ file, mark, digest, size }) => {
      const path = blobPath({ digest, mark, owner })
      await this.#asked(async () => {
        if (size > this.#partBytes) {
          await putInParts(this.#client, { key: path, file, size, partBytes: this.#partBytes })
        } else {
          const body = wholeBody(file, size, digest)
          await (await this.#client.send({ method: 'PUT', key: path, body })).body?.cancel()
        }
      })
      return { path, digest, size }
    })
  }

  async read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (!blobPathForm.test(path)) return undefined
    const isThere = await this.#orAbsent(() => this.#client.send({ method: 'HEAD', key: path }))
    return isThere && this.#readLazily(path, range)
  }

  async remove(path: string): Promise<void> {
    if (!blobPathForm.test(path)) return
    const response = await this.#orAbsent(() => this.#client.send({ method: 'DELETE', key: path }))
    await response?.body?.cancel()
  }

  async *list(): AsyncIterable<readonly ListedBlob[]> {
    await this.#incoming.removeLeftovers()
    await this.#removeOldUploads()
    for (let marker: string | undefined = ''; marker !== undefined; ) {
      const query = this.#pageQuery(marker, this.#pageItems)
      const xml = await this.#asked(() => this.#client.ask({ method: 'GET', query }))
      const items = partsIn(xml, 'Contents')
      const page = items.flatMap((item) => this.#toListed(item))
      if (page.length > 0) yield page
      const isMore = textIn(xml, 'IsTruncated') === 'true'
      marker = isMore ? textIn(items.at(-1) ?? '', 'Key') : undefined
    }
  }

  /** The first version of lists, which all stores have: a page goes on behind a name. */
  #pageQuery(marker: string, most: number): Readonly<Record<string, string>> {
    const { prefix } = this.#client
    return {
      'max-keys': String(most),
      ...(prefix !== '' && { prefix }),
      ...(marker !== '' && { marker }),
    }
  }

  /** Objects that others have put there are none of ours. */
  #toListed(item: string): readonly ListedBlob[] {
    const key = textIn(item, 'Key') ?? ''
    const path = key.slice(this.#client.prefix.length)
    const putMs = Date.parse(textIn(item, 'LastModified') ?? '')
    const isOurs = key.startsWith(this.#client.prefix) && blobPathForm.test(path)
    if (!isOurs || Number.isNaN(putMs)) return []
    return [{ path, putTime: toTimestamp(putMs), owner: ownerIn(path) }]
  }

  /** Asks for the bytes once somebody reads them: who never does leaves nothing open. */
  async *#readLazily(path: string, range: ByteRange | undefined): AsyncIterable<Uint8Array> {
    const headers = range && { range: `bytes=${range.first}-${range.last}` }
    const request = { method: 'GET', key: path, ...(headers && { headers }) } as const
    const response = await this.#orAbsent(() => this.#client.send(request))
    // It was there when its head was asked for.
    if (!response) throw new DomainError('not_found', 'The file does not exist any more')
    const start = startOf(response, range)
    if (start === undefined) {
      await response.body?.cancel()
      throw toDomainError(new S3Error(0, 'it sent another part than was asked for'))
    }
    const pieces = this.#client.piecesOf(response)
    try {
      yield* range ? partOf(pieces, range, start) : pieces
    } catch (error) {
      throw toDomainError(error)
    }
  }

  async #removeOldUploads(): Promise<void> {
    const before = this.#nowMs() - uploadHours * 3_600_000
    for (const upload of await this.#asked(() => oldUploads(this.#client, before))) {
      if (blobPathForm.test(upload.key)) await abortUpload(this.#client, upload)
    }
  }

  async #orAbsent<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof S3Error && error.status === 404 && error.reason !== 'NoSuchBucket') {
        return undefined
      }
      throw toDomainError(error)
    }
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      throw toDomainError(error)
    }
  }
}

/**
 * Where the bytes of an answer begin. A store may answer more than the part that is asked for; undefined where it doesn't
 * say that the part is in it.
 */
function startOf({ status, headers }: Response, range: ByteRange | undefined): number | undefined {
  if (status !== 206) return 0
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers.get('content-range') ?? '') ?? []
  const isIn = range && Number(first) <= range.first && Number(last) >= range.last
  return isIn ? Number(first) : undefined
}

/** The part of pieces of which the first one begins at a place. */
async function* partOf(
  pieces: AsyncIterable<Uint8Array>,
  { first, last }: ByteRange,
  start: number,
): AsyncIterable<Uint8Array> {
  let place = start
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, first - place), Math.max(0, last + 1 - place))
    if (part.length > 0) yield part
    place += piece.length
    if (place > last) return
  }
}
