import { createHash } from 'node:crypto'
import { readLazily } from '../blobs/disk-blob-store.ts'
import type { S3Body, S3Client } from './s3-client.ts'
import { S3Error } from './s3-error.ts'
import { partsIn, textIn } from './s3-xml.ts'

/** Bytes up to which a blob is sent in one piece. */
export const partBytesMin = 64 * 1024 * 1024

/** Parts that one object may have: what all stores allow. */
const partsMax = 10_000

/** A file that is sent in parts. */
interface PartedFile {
  readonly key: string
  readonly file: string
  readonly size: number
  /** Bytes of each part but the last; more where there would be too many parts. */
  readonly partBytes: number
}

/** A multipart upload that has not ended. */
interface OpenUpload {
  /** The name of the object that is to be, without the prefix. */
  readonly key: string
  readonly uploadId: string
}

/** All bytes of a file. */
export function wholeBody(file: string, size: number, digest: string): S3Body {
  return { size, digest, open: () => readLazily(file) }
}

/**
 * Uploads a file in parts, one after another. The object exists after the last step; when a step fails, the store is
 * told to discard the parts.
 */
export async function putInParts(
  client: S3Client,
  { key, file, size, partBytes }: PartedFile,
): Promise<void> {
  const query = { uploads: '' }
  const uploadId = textIn(await client.ask({ method: 'POST', key, query }), 'UploadId')
  if (uploadId === undefined) throw new S3Error(200, 'the answer has no UploadId')
  try {
    const step = Math.max(partBytes, Math.ceil(size / partsMax))
    const parts: string[] = []
    for (let start = 0; start < size; start += step) {
      const body = await partOf(file, start, Math.min(start + step, size))
      const number = String(parts.length + 1)
      const sent = { method: 'PUT', key, query: { partNumber: number, uploadId }, body } as const
      const response = await client.send(sent)
      await response.body?.cancel()
      const tag = response.headers.get('etag') ?? ''
      parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
    }
    await completeOnce(client, { key, uploadId, size }, parts)
  } catch (error) {
    // What was broken off is aborted once more with the next list, where this fails too.
    await abortUpload(client, { key, uploadId }).catch(() => undefined)
    throw error
  }
}

/**
 * Completes an upload. Where the answer was lost, the upload that is to be completed again isn't there any more, which some
 * stores call a failure of theirs: the object is there then, which nobody else gives its name.
 */
async function completeOnce(
  client: S3Client,
  { size, ...upload }: OpenUpload & Pick<PartedFile, 'size'>,
  parts: readonly string[],
): Promise<void> {
  try {
    await complete(client, upload, parts)
  } catch (error) {
    const mayBeDone =
      error instanceof S3Error && (error.isPassing || error.reason === 'NoSuchUpload')
    if (!mayBeDone) throw error
    const found = await client.send({ method: 'HEAD', key: upload.key }).catch(() => undefined)
    if (Number(found?.headers.get('content-length') ?? -1) !== size) throw error
  }
}

/** The store may take a while, and tell of a failure after it has said 200. */
async function complete(
  client: S3Client,
  { key, uploadId }: OpenUpload,
  parts: readonly string[],
): Promise<void> {
  const text = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const bytes = Buffer.from(text)
  const body: S3Body = {
    size: bytes.length,
    digest: createHash('sha256').update(bytes).digest('hex'),
    open: async function* () {
      yield bytes
    },
  }
  const answer = await client.ask({ method: 'POST', key, query: { uploadId }, body })
  const reason = answer.includes('<Error>') ? textIn(answer, 'Code') : undefined
  if (reason !== undefined) throw new S3Error(500, reason)
}

/** Has the store discard the parts of an upload; does nothing when there is no such upload. */
export async function abortUpload(client: S3Client, { key, uploadId }: OpenUpload): Promise<void> {
  try {
    const response = await client.send({ method: 'DELETE', key, query: { uploadId } })
    await response.body?.cancel()
  } catch (error) {
    if (!(error instanceof S3Error && error.status === 404)) throw error
  }
}

/**
 * Lists up to 1,000 open uploads with the prefix that were begun before the time, in milliseconds since 1970-01-01
 * UTC; none where the store can't list them.
 */
export async function oldUploads(
  client: S3Client,
  beforeMs: number,
): Promise<readonly OpenUpload[]> {
  const { prefix } = client
  const query = { uploads: '', ...(prefix !== '' && { prefix }) }
  const xml = await client.ask({ method: 'GET', query }).catch((error: unknown) => {
    if (error instanceof S3Error && error.reason === 'NotImplemented') return ''
    throw error
  })
  return partsIn(xml, 'Upload').flatMap((upload) => {
    const [key = '', uploadId = ''] = [textIn(upload, 'Key'), textIn(upload, 'UploadId')]
    const isOld = Date.parse(textIn(upload, 'Initiated') ?? '') < beforeMs
    return isOld && key.startsWith(prefix) ? [{ key: key.slice(prefix.length), uploadId }] : []
  })
}

/** A part of a file, from the first byte to before the end; read twice, since its digest comes first. */
async function partOf(file: string, start: number, end: number): Promise<S3Body> {
  const open = () => readLazily(file, { first: start, last: end - 1 })
  const digest = createHash('sha256')
  for await (const piece of open()) digest.update(piece)
  return { size: end - start, digest: digest.digest('hex'), open }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
